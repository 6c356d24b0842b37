using NUnit.Framework;
using Strata.Storage.Index;

namespace Strata.Tests.Storage.Index;

[TestFixture]
internal sealed class KeyHashTests
{
    private const int Keys = 1 << 16;
    private const int Cells = 256;

    /// <summary>Numbered keys of every length class fall evenly into cells chosen by the bits the program uses: the
    /// top ones (shard), the lowest (bucket), and those of the tag.</summary>
    [TestCase(4)]
    [TestCase(7)]
    [TestCase(8)]
    [TestCase(13)]
    [TestCase(16)]
    [TestCase(17)]
    [TestCase(40)]
    public void Spreads_numbered_keys_evenly(int length)
    {
        using var keys = new NativeKeys();
        foreach (var shift in (int[])[56, 0, 8, 20])
        {
            var cells = new int[Cells];
            var distinct = Math.Min(Keys, (int)Math.Pow(10, length - 1));
            for (var i = 0; i < distinct; i++)
            {
                cells[(keys.Make(i, length).Hash >> shift) & (Cells - 1)]++;
            }

            // Chi-squared with 255 degrees of freedom: mean 255, standard deviation 22.6; eight of them is no chance.
            var expected = (double)distinct / Cells;
            var chiSquared = cells.Sum(count => (count - expected) * (count - expected) / expected);
            Assert.That(chiSquared, Is.LessThan(255 + (8 * 22.6)), $"bits {shift}..{shift + 7}");
        }
    }

    [Test]
    public void Tells_databases_and_lengths_apart()
    {
        using var keys = new NativeKeys();
        var hashes = new HashSet<ulong>();
        var zeros = new byte[100];
        for (var length = 0; length < zeros.Length; length++)
        {
            for (var database = 0; database < 16; database++)
            {
                Assert.That(hashes.Add(keys.Make(zeros.AsSpan(0, length), (byte)database).Hash), Is.True);
            }
        }
    }

    [Test]
    public unsafe void Reads_no_byte_outside_the_key([Range(0, 40)] int length)
    {
        var bytes = new byte[64];
        fixed (byte* start = bytes)
        {
            var hash = KeyHash.Compute(start + 8, length, 0);
            Array.Fill(bytes, (byte)0xFF, 0, 8);
            Array.Fill(bytes, (byte)0xFF, 8 + length, bytes.Length - 8 - length);
            Assert.That(KeyHash.Compute(start + 8, length, 0), Is.EqualTo(hash));
        }
    }

    [Test]
    public void Changes_about_half_of_its_bits_with_any_bit_of_the_key()
    {
        using var keys = new NativeKeys();
        var name = new byte[24];
        Random.Shared.NextBytes(name);
        var hash = keys.Make(name).Hash;
        var flipped = 0;
        for (var bit = 0; bit < name.Length * 8; bit++)
        {
            name[bit >> 3] ^= (byte)(1 << (bit & 7));
            flipped += System.Numerics.BitOperations.PopCount(hash ^ keys.Make(name).Hash);
            name[bit >> 3] ^= (byte)(1 << (bit & 7));
        }

        Assert.That((double)flipped / (name.Length * 8), Is.EqualTo(32).Within(3));
    }
}
