using NUnit.Framework;
using Strata.Server.Commands.Bitmaps;

namespace Strata.Tests.Server.Commands.Bitmaps;

public sealed class BitRangeTests
{
    private const int LengthBytes = 4;

    [TestCase(0, -1, 0, 31)]
    [TestCase(1, 2, 8, 23)]
    [TestCase(-2, -1, 16, 31)]
    [TestCase(-100, 100, 0, 31)]
    [TestCase(0, -100, 0, 7)]
    [TestCase(long.MinValue, long.MaxValue, 0, 31)]
    public void Bytes_are_counted_in_eights(long start, long end, long first, long last)
        => Assert.That(BitRange.Of(start, end, BitUnit.Byte, LengthBytes), Is.EqualTo(new BitRange(first, last)));

    [TestCase(0, -1, 0, 31)]
    [TestCase(5, 9, 5, 9)]
    [TestCase(-3, -2, 29, 30)]
    [TestCase(-33, 33, 0, 31)]
    public void Bits_are_counted_one_by_one(long start, long end, long first, long last)
        => Assert.That(BitRange.Of(start, end, BitUnit.Bit, LengthBytes), Is.EqualTo(new BitRange(first, last)));

    [TestCase(4, 9, LengthBytes)]
    [TestCase(2, 1, LengthBytes)]
    [TestCase(0, -1, 0)]
    [TestCase(0, 0, 0)]
    public void What_is_the_wrong_way_round_or_beyond_the_end_is_empty(long start, long end, int lengthBytes)
        => Assert.That(BitRange.Of(start, end, BitUnit.Byte, lengthBytes).IsEmpty);
}
