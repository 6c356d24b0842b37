using NUnit.Framework;
using Strata.Bench.Keys;

namespace Strata.Tests.Bench;

public sealed class KeySourceTests
{
    private const int Draws = 400_000;

    [TestCase(0.5)]
    [TestCase(0.99)]
    [TestCase(1.0)]
    [TestCase(1.3)]
    public void Zipf_ranks_come_as_often_as_the_law_says(double theta)
    {
        const int Ranks = 1000;
        var sampler = new ZipfSampler(Ranks, theta);
        var random = new SplitMix64(42);
        var counts = new int[Ranks + 1];
        for (var i = 0; i < Draws; i++)
        {
            counts[sampler.Next(ref random)]++;
        }

        var norm = Enumerable.Range(1, Ranks).Sum(k => Math.Pow(k, -theta));
        Assert.Multiple(() =>
        {
            foreach (var rank in new[] { 1, 2, 3, 10, 100, 500, Ranks })
            {
                var expected = Draws * Math.Pow(rank, -theta) / norm;
                // Five standard deviations of a binomial count.
                Assert.That(counts[rank], Is.EqualTo(expected).Within(5 * Math.Sqrt(expected)), $"rank {rank}");
            }
        });
    }

    [FsCheck.NUnit.Property(MaxTest = 50)]
    public bool Scrambling_gives_every_rank_its_own_key(ushort keys)
    {
        var count = keys + 1;
        var scrambler = new KeyScrambler(count);
        var seen = new HashSet<long>();
        for (var rank = 0; rank < count; rank++)
        {
            seen.Add(scrambler.KeyOf(rank));
        }

        return seen.Count == count && seen.Min() == 0 && seen.Max() == count - 1;
    }

    [Test]
    public void The_hottest_keys_are_not_neighbours()
    {
        var scrambler = new KeyScrambler(1_000_000);
        var hot = Enumerable.Range(0, 100).Select(rank => scrambler.KeyOf(rank)).Order().ToList();
        Assert.That(hot.Zip(hot.Skip(1), (a, b) => b - a).Min(), Is.GreaterThan(1000));
    }

    [Test]
    public void The_same_seed_gives_the_same_keys_and_another_seed_others()
    {
        var first = Take(new ZipfKeys(1000, 0.99, 7));
        Assert.Multiple(() =>
        {
            Assert.That(Take(new ZipfKeys(1000, 0.99, 7)), Is.EqualTo(first));
            Assert.That(Take(new ZipfKeys(1000, 0.99, 8)), Is.Not.EqualTo(first));
        });
    }

    [Test]
    public void Uniform_keys_are_spread_evenly()
    {
        const int Keys = 100;
        var source = new UniformKeys(Keys, 3);
        var counts = new int[Keys];
        for (var i = 0; i < Draws; i++)
        {
            source.TryNext(out var key);
            counts[key]++;
        }

        Assert.That(counts, Is.All.EqualTo(Draws / Keys).Within(5 * Math.Sqrt(Draws / Keys)));
    }

    [Test]
    public void Sequential_keys_come_once_in_order_and_end()
    {
        var source = new SequentialKeys(3, 6);
        Assert.That(Take(source), Is.EqualTo(new long[] { 3, 4, 5 }));
    }

    [TestCase(0, "000000000")]
    [TestCase(1234, "000001234")]
    [TestCase(999_999_999, "999999999")]
    public void Key_numbers_are_written_with_nine_digits(long key, string digits)
    {
        var written = new byte[KeyName.DigitCount];
        KeyName.WriteDigits(written, key);
        Assert.That(System.Text.Encoding.ASCII.GetString(written), Is.EqualTo(digits));
    }

    private static List<long> Take(IKeySource source)
    {
        var keys = new List<long>();
        while (keys.Count < 1000 && source.TryNext(out var key))
        {
            keys.Add(key);
        }

        return keys;
    }
}
