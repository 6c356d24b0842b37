using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Server.Rdb;

/// <summary>Packs bytes as <see cref="Lzf"/> unpacks them: at each place it looks where the same three bytes stood
/// last, by a table of hashes. That is not cleared for each string: places are counted on from one to the next.
/// </summary>
internal sealed class LzfPacker
{
    private const int TableBits = 14;
    private const int LongestDistance = 1 << 13;
    private const int LongestCopy = 264;
    private const int LongestLiteral = 32;
    private const int LeastCopy = 3;
    private const int ShortCopies = 7;

    [ThreadStatic]
    private static LzfPacker? s_ofThread;

    private readonly int[] _places = new int[1 << TableBits];
    private int _base = 1;

    /// <summary>The calling thread's. Its table is as large as a block of a snapshot, of which hundreds may wait to be
    /// written: none has its own.</summary>
    public static LzfPacker OfThread => s_ofThread ??= new LzfPacker();

    /// <summary>Packs a string.</summary>
    /// <param name="source">The string.</param>
    /// <param name="target">Room for as many bytes as it may have, packed.</param>
    /// <returns>Bytes written; 0 when they would be more.</returns>
    public int Pack(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (_base > int.MaxValue - source.Length)
        {
            Array.Clear(_places);
            _base = 1;
        }

        var written = 0;
        var literal = 0; // Where the bytes begin that were not written yet.
        var at = 0;
        var last = source.Length - LeastCopy;
        while (at <= last)
        {
            ref var place = ref _places[HashAt(source, at)];
            var from = place - _base;
            place = _base + at;
            if (from < 0 || at - from > LongestDistance || !StartsAlike(source, from, at))
            {
                at++;
                continue;
            }

            var length = LengthOfCopy(source, from, at);
            if (!TryWriteLiteral(source[literal..at], target, ref written)
                || !TryWriteCopy(at - from - 1, length, target, ref written))
            {
                Forget(source.Length);
                return 0;
            }

            // What was copied may be copied from in its turn; its first and last places are enough to find it.
            var end = at + length;
            for (var next = Math.Max(at + 1, end - 2); next < end && next <= last; next++)
            {
                _places[HashAt(source, next)] = _base + next;
            }

            at = end;
            literal = end;
        }

        Forget(source.Length);
        return TryWriteLiteral(source[literal..], target, ref written) ? written : 0;
    }

    private void Forget(int length) => _base += length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint HashAt(ReadOnlySpan<byte> source, int at)
    {
        var three = (uint)(source[at] | (source[at + 1] << 8) | (source[at + 2] << 16));
        return (three * 2654435761u) >> (32 - TableBits);
    }

    private static bool StartsAlike(ReadOnlySpan<byte> source, int from, int at)
        => source[from] == source[at] && source[from + 1] == source[at + 1] && source[from + 2] == source[at + 2];

    private static int LengthOfCopy(ReadOnlySpan<byte> source, int from, int at)
    {
        var most = Math.Min(LongestCopy, source.Length - at);
        return MemoryMarshal.CreateReadOnlySpan(in source[from], most).CommonPrefixLength(source.Slice(at, most));
    }

    private static bool TryWriteLiteral(ReadOnlySpan<byte> bytes, Span<byte> target, ref int written)
    {
        while (!bytes.IsEmpty)
        {
            var count = Math.Min(bytes.Length, LongestLiteral);
            if (written + 1 + count > target.Length)
            {
                return false;
            }

            target[written++] = (byte)(count - 1);
            bytes[..count].CopyTo(target[written..]);
            written += count;
            bytes = bytes[count..];
        }

        return true;
    }

    private static bool TryWriteCopy(int distance, int length, Span<byte> target, ref int written)
    {
        var code = length - 2;
        var bytes = code < ShortCopies ? 2 : 3;
        if (written + bytes > target.Length)
        {
            return false;
        }

        target[written++] = (byte)((Math.Min(code, ShortCopies) << 5) | (distance >> 8));
        if (code >= ShortCopies)
        {
            target[written++] = (byte)(code - ShortCopies);
        }

        target[written++] = (byte)distance;
        return true;
    }
}
