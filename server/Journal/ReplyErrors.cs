using System.Buffers;
using System.Text;

namespace Strata.Server.Journal;

/// <summary>Reads over the replies to repeated commands and finds the errors among them, however deep they are nested:
/// in RESP2 each part of a reply begins with a line, and strings alone have bytes behind it.</summary>
/// <param name="tailBytes">How much of the end is kept, bytes.</param>
internal sealed class ReplyErrors(int tailBytes = 0)
{
    private const int MostLineBytes = 512;

    private static readonly string[] s_fatal = ["ERR unknown", "ERR internal", "OOM", "MISCONF", "IOERR", "EXECABORT"];

    private readonly ArrayBufferWriter<byte> _line = new(MostLineBytes);
    private readonly byte[] _tail = new byte[tailBytes];
    private int _tailLength;
    private long _skip;

    /// <summary>Errors so far.</summary>
    public long Count { get; private set; }

    /// <summary>The first of them; null if there was none.</summary>
    public string? First { get; private set; }

    /// <summary>The first with which something was not done that was done before: of a command that is not known, or
    /// for want of memory or the disk; null if there was none.</summary>
    public string? FirstFatal { get; private set; }

    /// <summary>Parts of replies that have begun.</summary>
    public long Parts { get; private set; }

    /// <summary>The end of the replies so far.</summary>
    public ReadOnlySpan<byte> Tail => _tail.AsSpan(0, _tailLength);

    /// <summary>Takes more of the replies.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        Keep(bytes[^Math.Min(bytes.Length, _tail.Length)..]);
        while (!bytes.IsEmpty)
        {
            if (_skip > 0)
            {
                var skipped = (int)Math.Min(_skip, bytes.Length);
                bytes = bytes[skipped..];
                _skip -= skipped;
                continue;
            }

            var end = bytes.IndexOf((byte)'\n');
            var line = end < 0 ? bytes : bytes[..end];
            _line.Write(line[..Math.Min(line.Length, MostLineBytes - Math.Min(MostLineBytes, _line.WrittenCount))]);
            if (end < 0)
            {
                return;
            }

            bytes = bytes[(end + 1)..];
            EndLine(_line.WrittenSpan.TrimEnd((byte)'\r'));
            _line.ResetWrittenCount();
        }
    }

    private void Keep(ReadOnlySpan<byte> end)
    {
        var kept = Math.Min(_tailLength, _tail.Length - end.Length);
        _tail.AsSpan(_tailLength - kept, kept).CopyTo(_tail);
        end.CopyTo(_tail.AsSpan(kept));
        _tailLength = kept + end.Length;
    }

    private void EndLine(ReadOnlySpan<byte> line)
    {
        Parts++;
        if (line.IsEmpty)
        {
            return;
        }

        if (line[0] == '$')
        {
            _ = System.Buffers.Text.Utf8Parser.TryParse(line[1..], out long length, out _);
            _skip = length < 0 ? 0 : length + 2;
        }
        else if (line[0] == '-')
        {
            var text = Encoding.UTF8.GetString(line[1..]);
            Count++;
            First ??= text;
            FirstFatal ??= Array.Exists(s_fatal, word => text.StartsWith(word, StringComparison.Ordinal)) ? text : null;
        }
    }
}
