using NUnit.Framework;
using Strata.Server;
using Strata.Server.Diagnostics;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Diagnostics;

[TestFixture]
internal sealed class SlowLogTests
{
    private const long NoLimit = long.MaxValue;

    [Test]
    public void Entries_of_all_workers_come_newest_first()
    {
        var log = new SlowLog(workers: 2);
        Add(log, worker: 0, count: 2);
        Add(log, worker: 1, count: 1);
        Add(log, worker: 0, count: 1);

        Assert.That(Ids(log.Newest(NoLimit, NoLimit)), Is.EqualTo(new[] { 3, 2, 1, 0 }));
        Assert.That(Ids(log.Newest(2, NoLimit)), Is.EqualTo(new[] { 3, 2 }));
    }

    [Test]
    public void The_limit_holds_over_all_workers()
    {
        var log = new SlowLog(workers: 2);
        Add(log, worker: 0, count: 3, maxLength: 2);
        Add(log, worker: 1, count: 3, maxLength: 2);

        Assert.That(Ids(log.Newest(NoLimit, maxLength: 2)), Is.EqualTo(new[] { 5, 4 }));
    }

    [Test]
    public void A_chain_frees_what_is_over_the_limit()
    {
        var log = new SlowLog(workers: 1);
        Add(log, worker: 0, count: 1000, maxLength: 10);

        Assert.That(Ids(log.Newest(NoLimit, NoLimit)), Has.Count.InRange(10, 10 + 64 + 1));
    }

    [Test]
    public void Reset_hides_what_was_and_keeps_counting()
    {
        var log = new SlowLog(workers: 1);
        Add(log, worker: 0, count: 3);
        log.Reset();
        Assert.That(log.Newest(NoLimit, NoLimit), Is.Empty);

        Add(log, worker: 0, count: 1);
        Assert.That(Ids(log.Newest(NoLimit, NoLimit)), Is.EqualTo(new[] { 3 }));
    }

    [Test]
    public void Cutting_after_a_reset_frees_the_entries()
    {
        var log = new SlowLog(workers: 1);
        Add(log, worker: 0, count: 3);
        log.Reset();
        Assert.That(log.Of(0).Newest, Is.Not.Null);

        log.Of(0).Trim(NoLimit, log.FirstId);

        Assert.That(log.Of(0).Newest, Is.Null);
    }

    [Test]
    public void Entries_are_charged_as_long_as_they_are_kept()
    {
        const int Entries = 1000;
        var budget = new MemoryBudget();
        var log = new SlowLog(workers: 1, budget);
        for (var i = 0; i < Entries; i++)
        {
            log.Of(0).Add(new SlowLogEntry(log.NextId(), 0, 0, [new byte[100]], "", ""), NoLimit, log.FirstId);
        }

        Assert.That(budget.UsedBytes, Is.GreaterThan(Entries * 100).And.EqualTo(log.ChargedBytes));
        log.Of(0).Trim(Entries / 10, log.FirstId);
        Assert.That(budget.UsedBytes, Is.LessThan(Entries * 100).And.Positive);
        log.Reset();
        log.Of(0).Trim(NoLimit, log.FirstId);
        Assert.That(budget.UsedBytes, Is.Zero);
    }

    [Test]
    public void A_long_log_takes_no_more_than_its_part_of_memory()
    {
        const int Limit = 8 << 20;
        const int Entries = 10_000;
        var budget = new MemoryBudget { LimitBytes = Limit };
        var log = new SlowLog(workers: 2, budget);
        Add(log, worker: 0, Entries);
        Assert.That(budget.UsedBytes, Is.LessThanOrEqualTo(Limit / ServerLimits.SlowLogShare / 2));
        var kept = Ids(log.Newest(NoLimit, NoLimit));
        Assert.That(kept, Is.EqualTo(Enumerable.Range(0, kept.Count).Select(i => Entries - 1 - i)), "the newest");
        Assert.That(kept, Has.Count.GreaterThanOrEqualTo(ServerLimits.FreeSlowLogEntries / 2));
    }

    private static void Add(SlowLog log, int worker, int count, long maxLength = NoLimit)
    {
        for (var i = 0; i < count; i++)
        {
            log.Of(worker).Add(new SlowLogEntry(log.NextId(), 0, 0, [], "", ""), maxLength, log.FirstId);
        }
    }

    private static List<long> Ids(IEnumerable<SlowLogEntry> entries) => [.. entries.Select(entry => entry.Id)];
}
