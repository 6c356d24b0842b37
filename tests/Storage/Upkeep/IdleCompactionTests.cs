using System.Diagnostics;
using NUnit.Framework;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Upkeep;

/// <summary>Where no garbage is made, less is left than while somebody makes it.</summary>
[TestFixture]
internal sealed class IdleCompactionTests
{
    private const int Keys = 20_000;
    private const int CycleMs = 100;

    [Test]
    public void Where_nobody_writes_a_thirtieth_is_garbage_at_most()
    {
        using var test = Rewritten();
        Assert.That(GarbageShare(test), Is.GreaterThan(0.06));
        for (var cycle = 0; cycle < 30; cycle++)
        {
            Cycle(test);
        }

        Assert.That(GarbageShare(test), Is.LessThan(1 / 30.0));
        Assert.That(test.Shard.Index.Count, Is.EqualTo(Keys));
        test.Audit();
        var moved = test.Shard.Statistics.CompactedBytes;
        for (var cycle = 0; cycle < 30; cycle++)
        {
            Cycle(test);
        }

        Assert.That(test.Shard.Statistics.CompactedBytes, Is.EqualTo(moved), "it is done once");
    }

    /// <summary>What is moved for a sixteenth of garbage would be garbage again soon.</summary>
    [Test]
    public void Where_somebody_writes_all_the_time_it_is_left()
    {
        using var test = Rewritten();
        var random = new Random(2);
        for (var cycle = 0; cycle < 100; cycle++)
        {
            for (var i = 0; i < 20; i++)
            {
                test.Set(test.Keys.Make(random.Next(Keys), 16), 1, 100 + random.Next(400));
            }

            Cycle(test);
        }

        Assert.That(GarbageShare(test), Is.GreaterThan(0.06));
    }

    /// <summary>Who deletes appends nothing, but makes garbage all the same.</summary>
    [Test]
    public void Where_somebody_deletes_all_the_time_it_is_left()
    {
        using var test = Rewritten();
        for (var key = 0; key < 1000; key++)
        {
            Assert.That(test.Delete(test.Keys.Make(key, 16)));
            if (key % 10 == 0)
            {
                Cycle(test);
            }
        }

        Assert.That(GarbageShare(test), Is.GreaterThan(0.06));
    }

    [Test]
    public void Where_keys_expire_all_the_time_it_is_left()
    {
        using var test = Rewritten();
        for (var key = 0; key < 1000; key++)
        {
            test.Set(test.Keys.Make(key, 16), 1, 300, test.NowMs + (CycleMs * (1 + (key / 10))));
        }

        for (var cycle = 0; cycle < 90; cycle++)
        {
            Cycle(test);
        }

        Assert.That(test.Shard.Statistics.ExpiredKeys, Is.GreaterThan(500));
        Assert.That(GarbageShare(test), Is.GreaterThan(0.06));
    }

    private static TestShard Rewritten()
    {
        var test = new TestShard(pageBits: 16);
        var random = new Random(1);
        for (var i = 0; i < 10 * Keys; i++)
        {
            test.Set(test.Keys.Make(i < Keys ? i : random.Next(Keys), 16), 1, 100 + random.Next(400));
        }

        return test;
    }

    private static double GarbageShare(TestShard test)
        => (double)test.Shard.Log.GarbageBytes / test.Shard.Log.LiveBytes;

    private static void Cycle(TestShard test)
    {
        test.NowMs += CycleMs;
        test.Shard.RunCycle(0, test.NowMs, Stopwatch.Frequency);
    }
}
