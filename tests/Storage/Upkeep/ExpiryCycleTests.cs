using System.Diagnostics;
using NUnit.Framework;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Upkeep;

[TestFixture]
internal sealed class ExpiryCycleTests
{
    private const int CycleMs = 100;

    [Test]
    public void Costs_what_it_finds_while_something_expires_everywhere_all_the_time()
    {
        const int Keys = 100_000;
        const int SpanMs = 100_000;
        var random = new Random(3);
        using var test = new TestShard(pageBits: 18);
        var startMs = test.NowMs;
        var expiries = new long[Keys];
        for (var i = 0; i < Keys; i++)
        {
            expiries[i] = startMs + 1000 + random.Next(SpanMs);
            test.Set(test.Keys.Make(i, 16), 1, 100, expiries[i]);
        }

        Array.Sort(expiries);
        for (; test.NowMs < startMs + SpanMs; test.NowMs += CycleMs)
        {
            Cycle(test);
            var due = ~Array.BinarySearch(expiries, test.NowMs - CycleMs);
            var overdue = due - test.Shard.Statistics.ExpiredKeys;
            Assert.That(overdue, Is.LessThan(Keys / 20), "expired keys still there");
        }

        Assert.That(test.Shard.Statistics.ExpiredKeys, Is.GreaterThan(Keys * 9 / 10));
        Assert.That(test.Shard.Statistics.ExpiryWalkedRecords / test.Shard.Statistics.ExpiredKeys, Is.LessThan(100));
        test.Audit();
    }

    [Test]
    public void Finds_the_single_key_that_expires_among_many_that_do_not()
    {
        using var test = new TestShard(pageBits: 16);
        for (var i = 0; i < 20_000; i++)
        {
            var expiryMs = i == 777 ? test.NowMs + 50 : i % 2 == 0 ? test.NowMs + (1 << 30) : -1;
            test.Set(test.Keys.Make(i, 16), 1, 100, expiryMs);
        }

        var cycles = 0;
        while (test.Shard.Statistics.ExpiredKeys == 0 && cycles < 100)
        {
            test.NowMs += CycleMs;
            Cycle(test);
            cycles++;
        }

        Assert.That(cycles, Is.LessThanOrEqualTo(10));
        Assert.That(test.Shard.Index.Count, Is.EqualTo(19_999));
        test.Audit();
    }

    [Test]
    public void Pages_in_which_nothing_is_due_are_not_walked_again()
    {
        using var test = new TestShard(pageBits: 16);
        for (var i = 0; i < 20_000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 100, test.NowMs + (i % 1000 == 0 ? 10 : 1 << 30));
        }

        for (var cycle = 0; cycle < 200; cycle++)
        {
            test.NowMs += CycleMs;
            Cycle(test);
        }

        Assert.That(test.Shard.Statistics.ExpiredKeys, Is.EqualTo(20));
        Assert.That(test.Shard.Statistics.ExpiryWalkedRecords, Is.LessThan(60_000));
    }

    [Test]
    public void Stops_when_its_time_is_up()
    {
        using var test = new TestShard(pageBits: 14);
        for (var i = 0; i < 50_000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 100, test.NowMs + 1);
        }

        test.NowMs += 10;
        test.Shard.RunCycle(0, test.NowMs, budgetTicks: 0);
        Assert.That(test.Shard.Statistics.ExpiredKeys, Is.InRange(1, 200), "one page");
        for (var cycle = 0; cycle < 10_000 && test.Shard.Index.Count > 0; cycle++)
        {
            test.Shard.RunCycle(0, test.NowMs, Stopwatch.Frequency / 1000);
        }

        Assert.That(test.Shard.Index.Count, Is.Zero);
        test.Audit();
    }

    [Test]
    public void An_expiry_that_is_moved_ahead_is_met()
    {
        using var test = new TestShard(pageBits: 16);
        for (var i = 0; i < 5000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 100, test.NowMs + (1 << 30));
        }

        var key = test.Keys.Make(17, 16);
        Assert.That(test.Get(key, out var record), Is.True);
        _ = test.Shard.SetExpiry(key, record, test.NowMs + 5, TestChange.Any);
        for (var cycle = 0; cycle < 10; cycle++)
        {
            test.NowMs += CycleMs;
            Cycle(test);
        }

        Assert.That(test.Shard.Statistics.ExpiredKeys, Is.EqualTo(1));
    }

    private static void Cycle(TestShard test) => test.Shard.RunCycle(0, test.NowMs, Stopwatch.Frequency);
}
