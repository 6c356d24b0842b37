using NUnit.Framework;
using Strata.Server;
using Strata.Server.Diagnostics.Traffic;

namespace Strata.Tests.Server.Diagnostics.Traffic;

[TestFixture]
internal sealed class FrequentKeysTests
{
    private const int Capacity = 40;

    /// <summary>What Space-Saving promises, of streams of any kind, with weights that grow and are scaled.</summary>
    [Test]
    public void No_weight_is_too_low_or_too_high_by_more_than_its_error([Range(1, 12)] int seed)
    {
        var random = new Random(seed);
        using var names = new KeyNames("key", 50 * seed);
        var frequent = new FrequentKeys(Capacity);
        var exact = new double[50 * seed];
        for (var i = 0; i < 20_000; i++)
        {
            var name = (int)(exact.Length * Math.Pow(random.NextDouble(), 1 + (seed % 4)));
            var weight = random.Next(1, 100);
            frequent.Add(names[name], weight);
            exact[name] += weight;
            if (random.Next(2000) == 0)
            {
                frequent.Scale(0.25);
                exact = [.. exact.Select(static sum => sum * 0.25)];
            }
        }

        var total = exact.Sum();
        var watched = frequent.Keys.ToArray();
        Assert.That(watched, Has.Length.EqualTo(Math.Min(Capacity, exact.Count(static sum => sum > 0))));
        Assert.That(watched.Sum(static key => key.Weight), Is.EqualTo(total).Within(1e-6 * total));
        foreach (var key in watched)
        {
            var truth = exact[names.IndexOf(key.Hash)];
            Assert.That(key.Weight, Is.GreaterThan(truth - 1e-6));
            Assert.That(key.Weight - key.Error, Is.LessThan(truth + 1e-6));
        }

        for (var name = 0; name < exact.Length; name++)
        {
            Assert.That(
                exact[name] <= total / Capacity || watched.Any(key => key.Hash == names[name].Hash),
                $"{name} has more than its part, and is watched");
        }
    }

    [Test]
    public void Of_a_long_key_the_beginning_is_kept_and_the_length()
    {
        using var names = new KeyNames(new string('x', 500), 3);
        var frequent = new FrequentKeys(Capacity);
        frequent.Add(names[0], 1);
        frequent.Add(names[1], 1);
        frequent.Add(names[0], 1);
        Assert.That(frequent.Keys.ToArray().Select(static key => key.Weight), Is.EquivalentTo(new[] { 2.0, 1.0 }));
        Assert.That(frequent.Keys[0].Length, Is.EqualTo(501));
        Assert.That(frequent.Bytes[..TrafficLimits.HotKeyBytes].ToArray(), Is.All.EqualTo((byte)'x'));
    }
}
