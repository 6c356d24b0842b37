using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Tests.Storage.Sharding;

/// <summary>Four shards of two workers, with far more expired keys than can be deleted in one slice.</summary>
internal sealed class ShardCyclesTests()
    : ShardMapFixture(new ShardSettings(ShardCount, PageBits: 16, IsShared: true), Workers)
{
    private const int ShardCount = 4;
    private const int Workers = 2;
    private const int UsualMs = 100;
    private const int ShortMs = 4 * Limits.BackgroundSliceMs;
    private const long NowMs = 1_000_000;

    [TestCase(0)]
    [TestCase(1)]
    public void Slices_follow_each_other_quickly_until_all_is_done(int worker)
    {
        Fill(400_000, number => number == worker + Workers);
        var cycles = new ShardCycles(Shards, worker, Workers);
        Assert.That(cycles.PeriodMs(UsualMs), Is.EqualTo(UsualMs));
        _ = cycles.Run(NowMs, UsualMs);
        Assert.That(cycles.PeriodMs(UsualMs), Is.EqualTo(ShortMs), "much is left to do");
        Assert.That(cycles.PeriodMs(1), Is.EqualTo(1), "what comes sooner anyway");
        Assert.That(Shards[worker + Workers].Index.Count, Is.Positive);

        Assert.That(RunUntilDone(cycles), Is.GreaterThan(3), "slices");
        Assert.That(Shards[worker + Workers].Index.Count, Is.Zero);
    }

    [Test]
    public void All_shards_of_the_worker_get_their_turn()
    {
        Fill(400_000, _ => true);
        var cycles = new ShardCycles(Shards, worker: 1, Workers);
        for (var slice = 0; slice < ShardCount / Workers; slice++)
        {
            _ = cycles.Run(NowMs, ShortMs);
        }

        Assert.That(Shards.All.ToArray().Select(shard => shard.Statistics.ExpiredKeys > 0),
            Is.EqualTo(new[] { false, true, false, true }));
        Assert.That(Shards[1].Index.Count + Shards[3].Index.Count, Is.Positive);
    }

    [Test]
    public void A_shard_in_use_is_left_for_later()
    {
        Fill(100, _ => true);
        var cycles = new ShardCycles(Shards, worker: 0, Workers);
        Assert.That(Shards[2].Lease.TryAcquire(), Is.True);
        _ = RunUntilDone(cycles);
        Assert.That((Shards[0].Index.Count, Shards[2].Index.Count > 0), Is.EqualTo((0L, true)));
        Shards[2].Lease.Release();
        _ = RunUntilDone(cycles);
        Assert.That(Shards[2].Index.Count, Is.Zero);
    }

    [Test]
    public void Memory_that_others_still_read_is_not_waited_for()
    {
        Fill(40_000, number => number == 0);
        Quiescence.BeginReads(1);
        var cycles = new ShardCycles(Shards, worker: 0, Workers);
        _ = RunUntilDone(cycles);
        Assert.That(Shards[0].Log.HasRetired, Is.True);
        Assert.That(cycles.PeriodMs(UsualMs), Is.EqualTo(UsualMs));
        Quiescence.EndReads(1);
        _ = RunUntilDone(cycles);
        Assert.That(Shards[0].Log.HasRetired, Is.False);
    }

    [Test]
    public void A_worker_without_shards_has_nothing_to_do()
    {
        var cycles = new ShardCycles(Shards, worker: 5, workers: 6);
        Assert.That(cycles.Run(NowMs, UsualMs), Is.EqualTo((0L, 0L)));
        Assert.That(cycles.PeriodMs(UsualMs), Is.EqualTo(UsualMs));
    }

    [Test]
    public void A_clock_that_was_set_back_does_no_harm()
    {
        Fill(100, _ => true);
        var cycles = new ShardCycles(Shards, worker: 0, Workers);
        _ = cycles.Run(NowMs, -5_000);
        Assert.That(cycles.PeriodMs(UsualMs), Is.EqualTo(ShortMs));
        _ = RunUntilDone(cycles);
        Assert.That(Shards[0].Index.Count + Shards[2].Index.Count, Is.Zero);
    }

    /// <returns>Slices.</returns>
    private static int RunUntilDone(ShardCycles cycles)
    {
        var slices = 0;
        do
        {
            _ = cycles.Run(NowMs, ShortMs);
            slices++;
        }
        while (cycles.PeriodMs(UsualMs) == ShortMs && slices < 100_000);
        return slices;
    }

    /// <summary>Sets keys that have expired at <see cref="NowMs"/>, in some of the shards.</summary>
    private void Fill(int keys, Func<int, bool> isWanted)
    {
        for (var i = 0; i < keys; i++)
        {
            var key = Keys.Make(i, 16);
            if (isWanted(Shards.NumberOf(key.Hash)))
            {
                var spec = new RecordSpec(key, RecordType.String, NowMs - 1);
                _ = Shards.Of(key.Hash).Write(key, default, spec, valueLength: 10);
            }
        }
    }
}
