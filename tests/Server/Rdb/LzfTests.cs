using NUnit.Framework;
using Strata.Server.Rdb;

namespace Strata.Tests.Server.Rdb;

/// <summary>What is packed is what it was when it is unpacked, and shorter if it repeats itself.</summary>
[TestFixture]
internal sealed class LzfTests
{
    [Test]
    public void What_is_packed_can_be_unpacked()
    {
        var random = new Random(12);
        var packer = new LzfPacker();
        var packedOnes = 0;
        for (var i = 0; i < 3000; i++)
        {
            var length = random.Next(0, i % 50 == 0 ? 100_000 : 2000);
            var bytes = RandomBytes(random, length, random.Next(2) == 0 ? 3 : 256);
            var target = new byte[random.Next(bytes.Length / 2, bytes.Length + (bytes.Length / 16) + 4)];
            var count = packer.Pack(bytes, target);
            if (count == 0)
            {
                continue;
            }

            packedOnes++;
            var unpacked = new byte[bytes.Length];
            Assert.That(Lzf.TryUnpack(target.AsSpan(0, count), unpacked), Is.True, $"case {i}");
            Assert.That(unpacked, Is.EqualTo(bytes), $"case {i}");
        }

        Assert.That(packedOnes, Is.GreaterThan(500));
    }

    [TestCase(100)]
    [TestCase(10_000)]
    [TestCase(1_000_000)]
    public void What_repeats_itself_becomes_short(int length)
    {
        var bytes = new byte[length];
        Array.Fill(bytes, (byte)'x');
        Assert.That(new LzfPacker().Pack(bytes, new byte[length]), Is.InRange(1, 10 + (length / 80)));
    }

    [Test]
    public void What_does_not_fit_is_given_up()
    {
        var bytes = new byte[1000];
        new Random(3).NextBytes(bytes);
        Assert.That(new LzfPacker().Pack(bytes, new byte[996]), Is.Zero);
    }

    private static byte[] RandomBytes(Random random, int length, int letters)
    {
        var bytes = new byte[length];
        for (var i = 0; i < length; i++)
        {
            bytes[i] = i > 20 && random.Next(3) > 0
                ? bytes[i - random.Next(1, Math.Min(i, 9000))]
                : (byte)random.Next(letters);
        }

        return bytes;
    }
}
