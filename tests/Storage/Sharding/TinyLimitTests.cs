using NUnit.Framework;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Storage.Sharding;

[TestFixture]
internal sealed class TinyLimitTests
{
    [TestCase(0L, EvictionPolicy.AllKeysLru)]
    [TestCase(0L, EvictionPolicy.AllKeysRandom)]
    [TestCase(1L << 20, EvictionPolicy.AllKeysLru)]
    public void Sixteen_shards_live_within_a_megabyte(long firstLimitBytes, EvictionPolicy policy)
    {
        const long Limit = 1 << 20;
        using var quiescence = new Quiescence(1);
        var budget = new MemoryBudget { LimitBytes = firstLimitBytes };
        var settings = new ShardSettings(16, Strata.Storage.Limits.MaxPageBits, IsShared: false);
        using var shards = new ShardMap(settings, budget, quiescence);
        using var keys = new NativeKeys();
        foreach (var shard in shards.All)
        {
            shard.Policy = policy;
        }

        for (var i = 0; i < 60_000; i++)
        {
            if (i == 10_000)
            {
                budget.LimitBytes = Limit;
            }

            MakeRoom(shards);
            var key = keys.Make(i, 16);
            var owner = shards.Of(key.Hash);
            owner.Write(key, default, new RecordSpec(key, RecordType.String, -1), 100).MutableValue.Fill(1);
            owner.Settle(0, 1);
        }

        MakeRoom(shards);
        Assert.That(budget.UsedBytes, Is.LessThanOrEqualTo(Limit));
        Assert.That(shards.CountKeys(0), Is.GreaterThan(3000));
    }

    /// <summary>As the server does: the shards in turn, until the budget holds.</summary>
    private static void MakeRoom(ShardMap shards)
    {
        for (var turn = 0; shards.Budget.IsOver; turn++)
        {
            Assert.That(turn, Is.LessThan(10_000), "making room ends");
            _ = shards[turn % shards.Count].TryGiveUp(0, 1);
        }
    }
}
