using System.Text;

namespace Strata.Server.Resp;

/// <summary>Error replies counted by their code, the first word ("ERR", "WRONGTYPE"). One thread counts; any thread may
/// read and gets numbers that are a moment old.</summary>
public sealed class ErrorCounts
{
    // Redis takes what has no blank this early for an error without a code of its own.
    private const int LongestCode = 32;

    private Entry[] _entries = [];

    /// <summary>The codes met so far, with their counts.</summary>
    public IEnumerable<(string Code, long Count)> All
    {
        get
        {
            foreach (var entry in Volatile.Read(ref _entries))
            {
                yield return (entry.Code, Volatile.Read(ref entry.Count));
            }
        }
    }

    /// <summary>Counts an error whose text, without the leading '-', starts with <paramref name="text"/>.</summary>
    public void Count(ReadOnlySpan<byte> text)
    {
        var blank = text[..Math.Min(text.Length, LongestCode)].IndexOf((byte)' ');
        var code = blank <= 0 ? "ERR"u8 : text[..blank];
        foreach (var entry in _entries)
        {
            if (code.SequenceEqual(entry.CodeBytes))
            {
                entry.Count++;
                return;
            }
        }

        // Readers see the old array or the new one, both whole.
        Volatile.Write(ref _entries, [.. _entries, new Entry(code.ToArray()) { Count = 1 }]);
    }

    private sealed class Entry(byte[] codeBytes)
    {
        public long Count;

        public byte[] CodeBytes { get; } = codeBytes;

        public string Code { get; } = Encoding.ASCII.GetString(codeBytes);
    }
}
