namespace Strata.Server.Rdb;

/// <summary>LZF, in which Redis packs strings of RDB: runs of up to 32 bytes as they are, and references of 3 to 264
/// bytes to what came up to 8 KiB before (http://oldhome.schmorp.de/marc/liblzf.html).</summary>
internal static class Lzf
{
    private const int LongestCopy = 264;
    private const int LongReference = 3;

    /// <summary>How many bytes this many packed ones can become at most.</summary>
    public static long MostBytes(long packed) => packed * LongestCopy / LongReference;

    /// <summary>How many bytes packed ones become; -1 where they are not LZF.</summary>
    public static long LengthOf(ReadOnlySpan<byte> packed)
    {
        var length = 0L;
        for (var i = 0; i < packed.Length;)
        {
            var control = packed[i++];
            if (control < 32)
            {
                i += control + 1;
                length += control + 1;
            }
            else
            {
                length += (control >> 5) + 2;
                if (control >> 5 == 7 && i < packed.Length)
                {
                    length += packed[i++];
                }

                i++;
            }

            if (i > packed.Length)
            {
                return -1;
            }
        }

        return length;
    }

    /// <summary>Unpacks bytes.</summary>
    /// <param name="packed">The bytes.</param>
    /// <param name="target">Room for exactly what they become.</param>
    /// <returns>False when they are not LZF, or become fewer or more.</returns>
    public static bool TryUnpack(ReadOnlySpan<byte> packed, Span<byte> target)
    {
        var written = 0;
        for (var i = 0; i < packed.Length;)
        {
            var control = packed[i++];
            if (control < 32)
            {
                var count = control + 1;
                if (count > packed.Length - i || count > target.Length - written)
                {
                    return false;
                }

                packed.Slice(i, count).CopyTo(target[written..]);
                i += count;
                written += count;
            }
            else if (!TryCopy(packed, ref i, control, target, ref written))
            {
                return false;
            }
        }

        return written == target.Length;
    }

    private static bool TryCopy(
        ReadOnlySpan<byte> packed, ref int i, byte control, Span<byte> target, ref int written)
    {
        var length = control >> 5;
        if (length == 7)
        {
            if (i == packed.Length)
            {
                return false;
            }

            length += packed[i++];
        }

        if (i == packed.Length)
        {
            return false;
        }

        var from = written - (((control & 0x1F) << 8) | packed[i++]) - 1;
        length += 2;
        if (from < 0 || length > target.Length - written)
        {
            return false;
        }

        // It may reach into what it writes: that repeats itself, and each piece makes the next one longer.
        for (var left = length; left > 0;)
        {
            var piece = Math.Min(left, written - from);
            target.Slice(from, piece).CopyTo(target[written..]);
            written += piece;
            left -= piece;
        }

        return true;
    }
}
