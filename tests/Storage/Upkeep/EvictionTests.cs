using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Upkeep;

[TestFixture]
internal sealed class EvictionTests
{
    private const long Limit = 2 << 20;
    private const long NeverMs = 1L << 40;

    private static readonly EvictionPolicy[] s_evicting = [.. Enum.GetValues<EvictionPolicy>().Skip(1)];

    [TestCaseSource(nameof(s_evicting))]
    public void Stays_within_the_limit(EvictionPolicy policy)
    {
        using var test = new TestShard(limitBytes: Limit, policy: policy);
        for (var i = 0; i < 40_000; i++)
        {
            // Sizes change and some values get pages of their own. Under a volatile policy, one in 20 may not go.
            var isKept = IsKept(policy, i);
            var length = i % 500 == 7 && !isKept ? 30_000 : 100 + (i * 37 % 400);
            var expiryMs = isKept ? -1 : test.NowMs + NeverMs + i;
            test.Set(test.Keys.Make(i * 7 % 30_000, 16), 1, length, expiryMs);
            Assert.That(test.Budget.UsedBytes, Is.LessThan(Limit + (48 << 10)), $"after key {i}");
            Assert.That(test.TryMakeRoom(), Is.True);
            Assert.That(test.Budget.UsedBytes, Is.LessThanOrEqualTo(Limit), $"before the key after {i}");
        }

        test.Audit();
        Assert.That(test.Shard.Statistics.EvictedKeys, Is.GreaterThan(20_000));
        Assert.That(test.Shard.Log.LiveBytes, Is.GreaterThan(Limit * 7 / 10), "what the limit allows is used");
    }

    [Test]
    public void A_volatile_policy_keeps_what_does_not_expire(
        [Values(EvictionPolicy.VolatileLru, EvictionPolicy.VolatileLfu, EvictionPolicy.VolatileRandom,
            EvictionPolicy.VolatileTtl)] EvictionPolicy policy)
    {
        using var test = new TestShard(limitBytes: Limit, policy: policy);
        for (var i = 0; i < 20_000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 200, i % 10 == 0 ? -1 : test.NowMs + NeverMs);
        }

        for (var i = 0; i < 20_000; i += 10)
        {
            Assert.That(test.Get(test.Keys.Make(i, 16), out _), Is.True, $"key {i} does not expire");
        }

        test.Audit();
    }

    [TestCase(EvictionPolicy.NoEviction)]
    [TestCase(EvictionPolicy.VolatileLru)]
    [TestCase(EvictionPolicy.VolatileTtl)]
    [TestCase(EvictionPolicy.VolatileRandom)]
    public void Refuses_when_the_policy_lets_nothing_go(EvictionPolicy policy)
    {
        using var test = new TestShard(limitBytes: Limit, policy: policy);
        var count = 0;
        while (test.TryMakeRoom())
        {
            test.Set(test.Keys.Make(count++, 16), 1, 200);
        }

        Assert.That(test.Shard.Index.Count, Is.EqualTo(count));
        Assert.That(test.Budget.UsedBytes, Is.LessThan(Limit + (64 << 10)));
        Assert.That(test.Shard.Log.LiveBytes, Is.GreaterThan(Limit * 8 / 10));
        test.Audit();
    }

    [Test]
    public void Garbage_is_compacted_before_a_command_is_refused()
    {
        using var test = new TestShard(limitBytes: Limit);
        for (var i = 0; i < 9000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 190);
        }

        for (var i = 0; i < 9000; i += 2)
        {
            Assert.That(test.Delete(test.Keys.Make(i, 16)), Is.True);
        }

        test.Budget.LimitBytes = Limit * 6 / 10;
        var calls = 0;
        while (!test.TryMakeRoom() && calls < 1000)
        {
            calls++;
        }

        Assert.That(test.Budget.UsedBytes, Is.LessThanOrEqualTo(Limit * 6 / 10));
        Assert.That(test.Shard.Index.Count, Is.EqualTo(4500));
        test.Audit();
    }

    [Test]
    public void The_soonest_to_expire_goes_first_under_volatile_ttl()
    {
        const int Keys = 12_000; // About twice what fits.
        var random = new Random(9);
        using var test = new TestShard(limitBytes: Limit, policy: EvictionPolicy.VolatileTtl);
        var expiries = Enumerable.Range(0, Keys).Select(_ => 1_000_000L + random.Next(1 << 30)).ToArray();
        for (var i = 0; i < Keys; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 250, test.NowMs + expiries[i]);
        }

        var order = Enumerable.Range(0, Keys).OrderBy(i => expiries[i]).ToArray();
        var early = order.Take(Keys / 4).Count(i => test.Get(test.Keys.Make(i, 16), out _));
        var late = order.TakeLast(Keys / 4).Count(i => test.Get(test.Keys.Make(i, 16), out _));
        Assert.That(early, Is.LessThan(Keys / 4 / 20), "survivors of the quarter that expires soonest");
        Assert.That(late, Is.GreaterThan(Keys / 4 * 19 / 20), "survivors of the quarter that expires last");
    }

    [TestCase(EvictionPolicy.AllKeysLru)]
    [TestCase(EvictionPolicy.AllKeysLfu)]
    [TestCase(EvictionPolicy.VolatileLru)]
    [TestCase(EvictionPolicy.VolatileLfu)]
    public void What_is_read_survives_a_scan(EvictionPolicy policy)
    {
        using var test = new TestShard(limitBytes: Limit, policy: policy);
        for (var i = 0; i < 60_000; i++)
        {
            var hot = test.Keys.Make(i % 1000, 16);
            if (!test.Get(hot, out _))
            {
                test.Set(hot, 1, 200, test.NowMs + NeverMs);
            }

            test.Set(test.Keys.Make(1_000_000 + i, 16), 1, 200, test.NowMs + NeverMs);
        }

        var kept = Enumerable.Range(0, 1000).Count(i => test.Get(test.Keys.Make(i, 16), out _));
        Assert.That(kept, Is.GreaterThan(980));
    }

    /// <summary>A collection that takes nearly half of the memory, among small strings, which are read once each so
    /// that they contend with it.</summary>
    [Test]
    public void A_huge_set_stays_while_it_is_read(
        [Values(EvictionPolicy.AllKeysLru, EvictionPolicy.AllKeysLfu, EvictionPolicy.VolatileLru)]
        EvictionPolicy policy,
        [Values] bool isRead)
    {
        const long limit = 8 * Limit;
        using var test = new TestShard(limitBytes: limit, policy: policy);
        var limits = new SetLimits(MaxIntegers: 8, MaxMembers: 8, MaxMemberBytes: 64);
        var editor = new SetEditor(test.Shard, test.Keys.Make("set"), record: default, limits);
        for (var i = 0; i < 150_000; i++)
        {
            _ = editor.Add(Encoding.ASCII.GetBytes(i.ToString("D20", CultureInfo.InvariantCulture)));
        }

        _ = test.Get(test.Keys.Make("set"), out var set);
        _ = test.Shard.SetExpiry(test.Keys.Make("set"), set, test.NowMs + NeverMs, TestChange.Any);
        Assert.That(test.Shard.Collections.HeldBytes, Is.InRange(limit / 4, limit / 2));
        for (var i = 0; i < 100_000; i++)
        {
            Assert.That(test.TryMakeRoom(), Is.True);
            test.Set(test.Keys.Make(i, 16), 1, 1000, test.NowMs + NeverMs);
            Assert.That(test.Get(test.Keys.Make(i, 16), out _), Is.True);
            if (isRead && i % 100 == 0)
            {
                Assert.That(test.Get(test.Keys.Make("set"), out _), Is.True, $"the set after {i} strings");
            }
        }

        Assert.That(test.Get(test.Keys.Make("set"), out _), Is.EqualTo(isRead));
        Assert.That(test.Budget.UsedBytes - test.Budget.RetiredBytes, Is.LessThan(limit + (1 << 20)));
        var held = test.Shard.Collections.HeldBytes;
        Assert.That(test.Shard.Collections.Huge.Bytes, Is.InRange(isRead ? held * 9 / 10 : 0, held));
    }

    [Test]
    public void A_step_frees_memory_even_when_everything_is_in_use([Values] bool isLarge)
    {
        using var test = new TestShard(limitBytes: 8 * Limit, policy: EvictionPolicy.AllKeysLfu);
        var keys = isLarge ? 300 : 10_000;
        for (var i = 0; i < keys; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, isLarge ? 50_000 : 1000);
            for (var read = 0; read < 4; read++)
            {
                _ = test.Get(test.Keys.Make(i, 16), out _);
            }
        }

        var before = test.Shard.Log.PageMemoryBytes;
        test.Budget.LimitBytes = 1;
        for (var step = 0; step < 100; step++)
        {
            for (var i = 0; i < keys; i++)
            {
                _ = test.Get(test.Keys.Make(i, 16), out _); // All of it is read between any two steps.
            }

            Assert.That(test.Shard.TryGiveUp(0, test.NowMs), Is.True);
        }

        Assert.That(test.Shard.Log.LiveBytes, Is.LessThan(before * 99 / 100));
        test.Audit();
    }

    [Test]
    public void A_lowered_limit_is_reached_in_steps()
    {
        using var test = new TestShard(pageBits: 18, limitBytes: 64 << 20, policy: EvictionPolicy.AllKeysLru);
        for (var i = 0; i < 300_000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 200);
        }

        test.Budget.LimitBytes = 1 << 20;
        var calls = 0;
        while (test.Budget.IsOver && calls++ < 10_000)
        {
            var before = test.Shard.Statistics.EvictedKeys;
            Assert.That(test.TryMakeRoom(), Is.True);
            Assert.That(test.Shard.Statistics.EvictedKeys - before, Is.LessThan(5000));
        }

        Assert.That(test.Budget.UsedBytes, Is.LessThanOrEqualTo(1 << 20));
        test.Set(test.Keys.Make(1, 16), 1, 200);
        Assert.That(test.Get(test.Keys.Make(1, 16), out _), Is.True);
        test.Audit();
    }

    [Test]
    public void The_cycle_reaches_a_lowered_limit_without_commands()
    {
        using var test = new TestShard(pageBits: 18, limitBytes: 32 << 20, policy: EvictionPolicy.AllKeysLru);
        for (var i = 0; i < 150_000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 200);
        }

        test.Budget.LimitBytes = 4 << 20;
        for (var cycle = 0; cycle < 10_000 && test.Budget.IsOver; cycle++)
        {
            test.Shard.RunCycle(0, test.NowMs, System.Diagnostics.Stopwatch.Frequency / 10_000);
        }

        Assert.That(test.Budget.UsedBytes, Is.LessThanOrEqualTo(4 << 20));
        test.Audit();
    }

    [Test]
    public void Policies_change_at_run_time()
    {
        using var test = new TestShard(limitBytes: Limit, policy: EvictionPolicy.AllKeysLru);
        var number = 0;
        for (var round = 0; round < 3; round++)
        {
            foreach (var policy in s_evicting)
            {
                test.Shard.Policy = policy;
                for (var i = 0; i < 8000; i++, number++)
                {
                    var expiryMs = number % 3 == 0 ? -1 : test.NowMs + NeverMs;
                    test.Set(test.Keys.Make(number % 50_000, 16), 1, number * 31 % 400, expiryMs);
                    if (!test.TryMakeRoom())
                    {
                        Assert.That(test.Shard.Databases.TotalExpires, Is.Zero, $"{policy} refused");
                        break;
                    }
                }

                test.Audit();
            }
        }
    }

    /// <summary>CONFIG SET comes from another worker, at any moment of a step.</summary>
    [Test]
    public void A_step_follows_one_policy()
    {
        using var test = new TestShard(limitBytes: Limit, policy: EvictionPolicy.AllKeysLru);
        for (var i = 0; i < 2000; i++)
        {
            test.Set(test.Keys.Make(i, 16), 1, 200);
        }

        var placement = test.Shard.Placement;
        var setter = new PolicySetter(test.Shard, EvictionPolicy.VolatileTtl);
        test.Shard.Changes.Add(setter);
        while (setter.Met.Count == 0)
        {
            Assert.That(test.Shard.TryGiveUp(0, test.NowMs));
        }

        Assert.That(setter.Met, Is.All.EqualTo(EvictionPolicy.AllKeysLru));
        _ = test.Shard.TryGiveUp(0, test.NowMs);
        Assert.That(placement.Policy, Is.EqualTo(EvictionPolicy.VolatileTtl));
        test.Shard.Changes.Remove(setter);
    }

    private static bool IsKept(EvictionPolicy policy, int i)
        => policy < EvictionPolicy.VolatileLru ? i % 2 == 0 : i * 7 % 30_000 % 20 == 0;

    /// <summary>Sets another policy when a key is evicted, and notes which one is followed then.</summary>
    private sealed class PolicySetter(Shard shard, EvictionPolicy policy) : IChangeListener
    {
        public List<EvictionPolicy> Met { get; } = [];

        /// <inheritdoc/>
        public void BeforeChange(in Key key, in Record record)
        {
            shard.Policy = policy;
            Met.Add(shard.Placement.Policy);
        }

        /// <inheritdoc/>
        public void Changed(in Key key, in Record record, in Change change)
        {
        }

        /// <inheritdoc/>
        public void BeforeClear(int database)
        {
        }

        /// <inheritdoc/>
        public void Cleared(int database, IChangeAuthor? author)
        {
        }

        /// <inheritdoc/>
        public void BeforeExchange(byte first, byte second)
        {
        }

        /// <inheritdoc/>
        public void Exchanged(byte first, byte second, IChangeAuthor? author)
        {
        }
    }
}
