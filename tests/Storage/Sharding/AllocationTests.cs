using NUnit.Framework;
using Strata.Storage.Log;

namespace Strata.Tests.Storage.Sharding;

/// <summary>Shards in their steady state allocate nothing; it is measured alone.</summary>
[NonParallelizable]
internal sealed class AllocationTests
{
    private const int Steps = 100_000;

    [Test]
    public void Steady_work_allocates_nothing(
        [Values(EvictionPolicy.NoEviction, EvictionPolicy.AllKeysLfu, EvictionPolicy.AllKeysRandom,
            EvictionPolicy.VolatileTtl)] EvictionPolicy policy)
    {
        var limit = policy == EvictionPolicy.NoEviction ? 0 : 3 << 19;
        using var test = new TestShard(pageBits: 16, limitBytes: limit, policy: policy);
        Work(test, policy);
        Work(test, policy);
        Assert.That(AllocationMeter.LeastOf(() => Work(test, policy)), Is.Zero);
        var statistics = test.Shard.Statistics;
        var work = policy == EvictionPolicy.NoEviction ? statistics.CompactedPages : statistics.EvictedKeys;
        Assert.That(work, Is.GreaterThan(50));
    }

    private static void Work(TestShard test, EvictionPolicy policy)
    {
        var state = 1UL;
        for (var i = 0; i < Steps; i++)
        {
            state = (state * 6364136223846793005) + 1442695040888963407;
            var draw = (int)(state >> 40);
            var key = test.Keys.Make(draw % 12_000, 16);
            var expires = policy >= EvictionPolicy.VolatileLru || draw % 5 == 0;
            var expiryMs = expires ? test.NowMs + 50 + (draw % 20_000) : -1;
            switch (i % 8)
            {
                case < 4:
                    test.Set(key, 1, draw % 2000 == 0 ? 20_000 : draw % 300, expiryMs);
                    break;
                case < 6:
                    _ = test.Get(key, out _);
                    break;
                case 6:
                    _ = test.Delete(key);
                    break;
                default:
                    if (test.Get(key, out var record))
                    {
                        _ = test.Shard.SetExpiry(key, record, expiryMs, TestChange.Any);
                        test.Shard.Settle(0, test.NowMs);
                    }

                    break;
            }

            if (i % 100 == 0)
            {
                test.NowMs += 10;
                test.Shard.RunCycle(0, test.NowMs, System.Diagnostics.Stopwatch.Frequency / 100);
            }
        }
    }
}
