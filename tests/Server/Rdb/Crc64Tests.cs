using NUnit.Framework;
using Strata.Server.Rdb;

namespace Strata.Tests.Server.Rdb;

[TestFixture]
internal sealed class Crc64Tests
{
    [Test]
    public void The_checksum_is_that_of_redis()
    {
        Assert.That(Crc64.Of("123456789"u8), Is.EqualTo(0xe9c6d914c4b8d9ca));
        Assert.That(Crc64.Of([]), Is.Zero);
    }

    [Test]
    public void Any_number_of_bytes_has_the_checksum_that_is_made_bit_by_bit([Values(0, 5)] int before)
    {
        var bytes = new byte[700];
        new Random(4).NextBytes(bytes);
        var expected = BitByBit(0, bytes.AsSpan(0, before));
        for (var length = 0; before + length < bytes.Length; length++)
        {
            var crc = default(Crc64);
            crc.Add(bytes.AsSpan(0, before));
            crc.Add(bytes.AsSpan(before, length));
            Assert.That(crc.Value, Is.EqualTo(expected), $"{length} bytes");
            expected = BitByBit(expected, bytes.AsSpan(before + length, 1));
        }
    }

    [Test]
    public void Bytes_may_be_added_in_any_pieces()
    {
        var bytes = new byte[500];
        new Random(5).NextBytes(bytes);
        var whole = Crc64.Of(bytes);
        for (var i = 0; i <= bytes.Length; i++)
        {
            var crc = default(Crc64);
            crc.Add(bytes.AsSpan(0, i));
            crc.Add(bytes.AsSpan(i));
            Assert.That(crc.Value, Is.EqualTo(whole));
        }
    }

    [Test]
    public void Zeros_need_not_be_gone_through()
    {
        var bytes = new byte[5000];
        new Random(6).NextBytes(bytes.AsSpan(0, 9));
        foreach (var zeros in new[] { 0, 1, 2, 7, 8, 100, 4991 })
        {
            var crc = default(Crc64);
            crc.Add(bytes.AsSpan(0, 9));
            crc.AddZeros(zeros);
            Assert.That(crc.Value, Is.EqualTo(Crc64.Of(bytes.AsSpan(0, 9 + zeros))), $"{zeros} zeros");
        }
    }

    [Test]
    public void The_checksum_of_a_change_changes_the_checksum()
    {
        var before = "REDIS0010 and so on"u8.ToArray();
        var after = "REDIS0012 and so on"u8.ToArray();
        var change = before.Zip(after, static (a, b) => (byte)(a ^ b)).ToArray();
        var (crc, difference) = (default(Crc64), default(Crc64));
        crc.Add(before);
        difference.Add(change);
        crc.Change(difference);
        Assert.That(crc.Value, Is.EqualTo(Crc64.Of(after)));
    }

    private static ulong BitByBit(ulong crc, ReadOnlySpan<byte> bytes)
    {
        foreach (var b in bytes)
        {
            crc ^= b;
            for (var bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x95ac9329ac4bc9b5 : 0);
            }
        }

        return crc;
    }
}
