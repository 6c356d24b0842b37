using NUnit.Framework;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Upkeep;

/// <summary>Memory that is refused at random, to commands and to what keeps the shard within its bounds.</summary>
[TestFixture]
internal sealed class ShortageTests
{
    private const int Keys = 5_000;
    private const long NeverMs = 1L << 40;

    [Test]
    public void What_may_not_be_evicted_stays([Values] EvictionPolicy policy)
    {
        var random = new Random((int)policy);
        var limitBytes = policy == EvictionPolicy.NoEviction ? 0 : 1L << 20;
        using var test = new TestShard(pageBits: 14, limitBytes, policy);
        test.Budget.Refuses = _ => random.Next(2) == 0;
        var lengths = new Dictionary<int, int>(); // Of what may not be evicted.
        var refusals = 0;
        for (var step = 0; step < 60_000; step++)
        {
            var number = random.Next(Keys);
            var mayGo = policy != EvictionPolicy.NoEviction && (!IsVolatile(policy) || number % 10 != 0);
            var length = random.Next(400);
            try
            {
                if (random.Next(4) == 0)
                {
                    Assert.That(test.Delete(test.Keys.Make(number, 16)) || mayGo, Is.EqualTo(
                        lengths.Remove(number) || mayGo));
                }
                else if (test.TryMakeRoom())
                {
                    test.Set(test.Keys.Make(number, 16), (byte)number, length, mayGo ? test.NowMs + NeverMs : -1);
                    lengths[number] = length;
                }
            }
            catch (MemoryExhaustedException)
            {
                refusals++;
            }

            if (step % 50 == 0)
            {
                test.Shard.RunCycle(0, test.NowMs, TimeSpan.TicksPerMillisecond);
            }

            if (mayGo)
            {
                _ = lengths.Remove(number);
            }
        }

        Assert.That(refusals, Is.GreaterThan(10));
        Assert.That(test.Shard.Statistics.CompactedPages + test.Shard.Statistics.EvictedKeys, Is.Positive);
        foreach (var (number, length) in lengths)
        {
            Assert.That(test.Get(test.Keys.Make(number, 16), out var record), $"key {number}");
            Assert.That(record.ValueLength, Is.EqualTo(length));
            Assert.That(record.Value.ContainsAnyExcept((byte)number), Is.False, $"value of key {number}");
        }

        test.Audit();
    }

    private static bool IsVolatile(EvictionPolicy policy)
        => policy.ToString().StartsWith("Volatile", StringComparison.Ordinal);
}
