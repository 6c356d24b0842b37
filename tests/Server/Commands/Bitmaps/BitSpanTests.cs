using Strata.Server.Commands.Bitmaps;

namespace Strata.Tests.Server.Commands.Bitmaps;

public sealed class BitSpanTests
{
    [FsCheck.NUnit.Property(MaxTest = 500)]
    public bool Counts_what_counting_bit_by_bit_counts(byte[] bytes, int first, int last)
    {
        var range = RangeIn(bytes, first, last);
        return BitSpan.Count(bytes, range) == Offsets(range).LongCount(offset => Bit(bytes, offset))
            && BitSpan.Count(bytes) == bytes.Sum(b => int.PopCount(b));
    }

    [FsCheck.NUnit.Property(MaxTest = 500)]
    public bool Finds_what_looking_bit_by_bit_finds(int seed, bool value, int first, int last)
    {
        // Mostly the other bit, so that the search goes on for a while.
        var random = new Random(seed);
        var bytes = new byte[random.Next(0, 40)];
        Array.Fill(bytes, value ? (byte)0 : byte.MaxValue);
        for (var i = random.Next(0, 3); i > 0 && bytes.Length > 0; i--)
        {
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
        }

        var range = RangeIn(bytes, first, last);
        var expected = Offsets(range).Where(offset => Bit(bytes, offset) == value).DefaultIfEmpty(-1).First();
        return BitSpan.IndexOf(bytes, value, range) == expected;
    }

    private static BitRange RangeIn(byte[] bytes, int first, int last)
    {
        var bits = bytes.Length * 8;
        return bits == 0 ? new BitRange(0, -1) : new BitRange(Math.Abs(first % bits), Math.Abs(last % bits));
    }

    private static IEnumerable<long> Offsets(BitRange range)
    {
        for (var offset = range.First; offset <= range.Last; offset++)
        {
            yield return offset;
        }
    }

    private static bool Bit(byte[] bytes, long offset) => (bytes[offset / 8] >> (int)(7 - (offset % 8)) & 1) == 1;
}
