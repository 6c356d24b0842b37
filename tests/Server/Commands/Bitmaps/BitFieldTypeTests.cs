using System.Numerics;
using NUnit.Framework;
using Strata.Server.Commands.Bitmaps;

namespace Strata.Tests.Server.Commands.Bitmaps;

public sealed class BitFieldTypeTests
{
    [FsCheck.NUnit.Property(MaxTest = 1000)]
    public void A_field_is_read_bit_by_bit_and_zeros_follow_the_end(int seed)
    {
        var (random, type, bytes) = RandomField(seed);
        var offset = random.Next(0, (bytes.Length * 8) + 70);
        Assert.That(type.Get(bytes, offset), Is.EqualTo(Model(type, bytes, offset)), $"{type} {offset}");
    }

    [FsCheck.NUnit.Property(MaxTest = 1000)]
    public void A_field_that_was_written_reads_back_and_its_neighbours_stay(int seed)
    {
        var (random, type, bytes) = RandomField(seed);
        var bits = bytes.Length * 8;
        if (type.Width > bits)
        {
            Array.Resize(ref bytes, bytes.Length + 8);
            bits += 64;
        }

        var offset = random.Next(0, bits - type.Width + 1);
        var value = type.Get(random.GetItems<byte>([0, 1, 127, 128, 255], 9), 0);
        var changed = (byte[])bytes.Clone();
        type.Set(changed, offset, value);
        Assert.That(type.Get(changed, offset), Is.EqualTo(value), $"{type} {offset}");
        for (var i = 0; i < bits; i++)
        {
            if (i < offset || i >= offset + type.Width)
            {
                Assert.That(Bit(changed, i), Is.EqualTo(Bit(bytes, i)), $"{type} {offset}, bit {i}");
            }
        }
    }

    [FsCheck.NUnit.Property(MaxTest = 2000)]
    public void Sums_wrap_saturate_or_fail_as_exact_arithmetic_says(int seed)
    {
        var (random, type, bytes) = RandomField(seed);
        var value = type.Get(bytes, 0);
        var increment = random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);
        var min = type.IsSigned ? -(BigInteger.One << (type.Width - 1)) : BigInteger.Zero;
        var size = BigInteger.One << type.Width;
        var exact = new BigInteger(value) + increment;
        var fits = exact >= min && exact < min + size;
        var wrapped = min + (((exact - min) % size) + size) % size;
        var saturated = BigInteger.Clamp(exact, min, min + size - 1);

        var isWritten = type.TryAdd(value, increment, BitFieldOverflow.Fail, out var sum);
        Assert.That(isWritten, Is.EqualTo(fits));
        Assert.That(!fits || sum == exact);
        Assert.That(type.TryAdd(value, increment, BitFieldOverflow.Wrap, out sum));
        Assert.That((BigInteger)sum, Is.EqualTo(wrapped), $"{type} {value} {increment}");
        Assert.That(type.TryAdd(value, increment, BitFieldOverflow.Saturate, out sum));
        Assert.That((BigInteger)sum, Is.EqualTo(saturated), $"{type} {value} {increment}");
    }

    // What redis-server 7.0.15 stores for BITFIELD k OVERFLOW SAT SET type 0 value.
    [TestCase(true, 8, 200, 127)]
    [TestCase(true, 8, -200, -128)]
    [TestCase(true, 8, long.MinValue, 127)]
    [TestCase(true, 64, long.MinValue, long.MinValue)]
    [TestCase(false, 8, 300, 255)]
    [TestCase(false, 8, -1, 255)]
    public void A_value_that_is_set_saturates_as_in_Redis(bool isSigned, int width, long value, long stored)
    {
        Assert.That(new BitFieldType(isSigned, width).TryAdd(value, 0, BitFieldOverflow.Saturate, out var sum));
        Assert.That(sum, Is.EqualTo(stored));
    }

    private static (Random Random, BitFieldType Type, byte[] Bytes) RandomField(int seed)
    {
        var random = new Random(seed);
        var isSigned = random.Next(2) == 0;
        var type = new BitFieldType(isSigned, random.Next(1, isSigned ? 65 : 64));
        return (random, type, random.GetItems<byte>([0, 1, 0x55, 0x7F, 0x80, 0xFF], random.Next(0, 20)));
    }

    private static long Model(BitFieldType type, byte[] bytes, long offset)
    {
        var value = BigInteger.Zero;
        for (var i = 0; i < type.Width; i++)
        {
            value = (value * 2) + (Bit(bytes, offset + i) ? 1 : 0);
        }

        var isNegative = type.IsSigned && value >> (type.Width - 1) == 1;
        return (long)(isNegative ? value - (BigInteger.One << type.Width) : value);
    }

    private static bool Bit(byte[] bytes, long offset)
        => offset / 8 < bytes.Length && (bytes[offset / 8] >> (int)(7 - (offset % 8)) & 1) == 1;
}
