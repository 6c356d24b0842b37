using System.Text;
using NUnit.Framework;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Records;

namespace Strata.Tests.Storage.Sharding;

public sealed class KeySamplerTests
{
    [TestCase(1)]
    [TestCase(7)]
    [TestCase(2000, Description = "Buckets overflow here and there.")]
    public void Every_key_is_drawn_about_equally_often(int keys)
    {
        using var shard = new WalkedShard();
        for (var i = 0; i < keys; i++)
        {
            shard.Add($"key{i}");
        }

        const int PerKey = 100;
        var drawn = Draw(shard, database: 0, PerKey * keys);

        // Poisson around 100: the chance that one of 2000 keys lies six deviations off is below 1 in 100,000.
        Assert.That(drawn, Has.Count.EqualTo(keys));
        Assert.That(drawn.Values, Is.All.InRange(PerKey - 60, PerKey + 60));
    }

    [TestCase(10_000, Description = "A small index: all keys are gone through.")]
    [TestCase(40_000, Description = "A large one: the search starts anywhere.")]
    public void The_few_keys_of_a_database_are_found_among_many_others(int others)
    {
        using var shard = new WalkedShard();
        for (var i = 0; i < others; i++)
        {
            shard.Add($"key{i}", database: 3);
        }

        shard.Add("this", database: 0);
        Assert.That(Draw(shard, database: 0, draws: 10).Keys, Is.EquivalentTo(["this"]));
        shard.Add("that", database: 0);
        Assert.That(Draw(shard, database: 0, draws: 10).Keys, Is.SubsetOf(["this", "that"]));
    }

    [Test]
    public void Expired_keys_are_not_drawn_but_deleted()
    {
        using var shard = new WalkedShard();
        for (var i = 0; i < 50; i++)
        {
            shard.Add($"gone{i}", expiryMs: WalkedShard.NowMs - 1);
        }

        var result = KeySampler.Draw(shard.Shard, 0, WalkedShard.NowMs, cold: null, out _);
        Assert.That(result, Is.EqualTo(FindResult.Missing));
        Assert.That(shard.Shard.Databases.Keys(0), Is.Zero);
        Assert.That(shard.Shard.Statistics.ExpiredKeys, Is.EqualTo(50));
        shard.Add("here");
        Assert.That(Draw(shard, database: 0, draws: 20).Keys, Is.EquivalentTo(["here"]));
    }

    private static Dictionary<string, int> Draw(WalkedShard shard, byte database, int draws)
    {
        var drawn = new Dictionary<string, int>();
        for (var i = 0; i < draws; i++)
        {
            var result = KeySampler.Draw(shard.Shard, database, WalkedShard.NowMs, cold: null, out var record);
            Assert.That(result, Is.EqualTo(FindResult.Found));
            var name = Encoding.ASCII.GetString(record.Key);
            drawn[name] = drawn.GetValueOrDefault(name) + 1;
        }

        return drawn;
    }
}
