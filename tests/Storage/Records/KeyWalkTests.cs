using System.Text;
using NUnit.Framework;
using Strata.Storage.Records;

namespace Strata.Tests.Storage.Records;

public sealed class KeyWalkTests
{
    // Enough for the index to grow to several times its first size, and to shrink back.
    private const int MostChangesPerStep = 400;

    // Without an end to the changes the index might grow faster than the walk gets on.
    private const int DisturbedSteps = 60;

    /// <summary>Between two buckets keys come and go and the index is split and merged; the keys that stay are all met.
    /// </summary>
    [FsCheck.NUnit.Property(MaxTest = 100)]
    public bool Every_key_that_stays_is_met_whatever_comes_and_goes_meanwhile(int seed)
    {
        var random = new Random(seed);
        using var shard = new WalkedShard();
        var staying = Names("stay", random.Next(1, 300)).ToHashSet();
        var passing = new Queue<string>(Names("pass", random.Next(0, 6000)));
        foreach (var name in staying.Concat(passing))
        {
            shard.Add(name);
        }

        // Mostly growing, mostly shrinking, or back and forth.
        var share = random.Next(3) switch { 0 => 0.1, 1 => 0.9, _ => 0.5 };
        var cursor = 0UL;
        var met = new HashSet<string>();
        var step = 0;
        do
        {
            cursor = Walk(shard, cursor, buckets: random.Next(1, 8), met);
            if (step++ < DisturbedSteps)
            {
                Disturb(shard, passing, random, share);
            }
        }
        while (cursor != 0);
        return staying.IsSubsetOf(met);
    }

    [Test]
    public void The_disturbances_of_the_property_do_split_and_merge_buckets()
    {
        using var shard = new WalkedShard();
        var passing = new Queue<string>();
        var random = new Random(1);
        var smallest = shard.Shard.Index.BucketCount;
        for (var i = 0; i < 40; i++)
        {
            Disturb(shard, passing, random, share: 0.1);
        }

        var largest = shard.Shard.Index.BucketCount;
        for (var i = 0; i < 80; i++)
        {
            Disturb(shard, passing, random, share: 0.9);
        }

        Assert.That(largest, Is.GreaterThan(smallest * 4));
        Assert.That(shard.Shard.Index.BucketCount, Is.LessThan(largest / 2));
    }

    [Test]
    public void Undisturbed_every_key_of_the_database_is_met_once_and_no_other()
    {
        using var shard = new WalkedShard();
        foreach (var name in Names("key", 5000))
        {
            shard.Add(name, database: 1);
            shard.Add(name, database: 2);
        }

        var met = new List<string>();
        var walk = new KeyWalk(shard.Shard, database: 1, cold: null);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out var record))
            {
                met.Add(Encoding.ASCII.GetString(record.Key));
            }
        }
        while (walk.Cursor != 0);

        Assert.That(met, Is.EquivalentTo(Names("key", 5000)));
    }

    /// <summary>Chains close up behind a key that is deleted; the walk must neither miss nor repeat what moves.
    /// </summary>
    [FsCheck.NUnit.Property(MaxTest = 200)]
    public bool Deleting_the_expired_keys_met_leaves_every_other_to_be_met_once(int seed)
    {
        var random = new Random(seed);
        using var shard = new WalkedShard();
        var living = new List<string>();
        var expiredShare = random.NextDouble();
        foreach (var name in Names("key", random.Next(2000)))
        {
            var isExpired = random.NextDouble() < expiredShare;
            shard.Add(name, expiryMs: isExpired ? WalkedShard.NowMs - 1 : WalkedShard.NowMs);
            if (!isExpired)
            {
                living.Add(name);
            }
        }

        var met = new List<string>();
        var walk = new KeyWalk(shard.Shard, database: 0, cold: null);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out var record))
            {
                if (record.IsExpired(WalkedShard.NowMs))
                {
                    walk.Expire(record, WalkedShard.NowMs);
                }
                else
                {
                    met.Add(Encoding.ASCII.GetString(record.Key));
                }
            }
        }
        while (walk.Cursor != 0);
        return met.Order().SequenceEqual(living.Order()) && shard.Shard.Databases.Keys(0) == living.Count;
    }

    [FsCheck.NUnit.Property(MaxTest = 200)]
    public bool Any_number_is_a_cursor_from_which_the_walk_ends(ulong cursor, ushort keys)
    {
        using var shard = new WalkedShard();
        foreach (var name in Names("key", keys % 2000))
        {
            shard.Add(name);
        }

        var steps = 0;
        cursor *= 0x9E3779B97F4A7C15UL; // Small numbers become ones of all sizes.
        do
        {
            cursor = Walk(shard, cursor, buckets: 1, []);
        }
        while (cursor != 0 && ++steps <= shard.Shard.Index.BucketCount);
        return cursor == 0;
    }

    private static IEnumerable<string> Names(string stem, int count)
        => Enumerable.Range(0, count).Select(i => $"{stem}{i}");

    private static ulong Walk(WalkedShard shard, ulong cursor, int buckets, HashSet<string> met)
    {
        var walk = new KeyWalk(shard.Shard, database: 0, cold: null, cursor);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out var record))
            {
                met.Add(Encoding.ASCII.GetString(record.Key));
            }
        }
        while (walk.Cursor != 0 && --buckets > 0);
        return walk.Cursor;
    }

    private static void Disturb(WalkedShard shard, Queue<string> passing, Random random, double share)
    {
        for (var i = random.Next(MostChangesPerStep); i > 0; i--)
        {
            if (random.NextDouble() >= share)
            {
                var added = $"new{random.NextInt64()}";
                passing.Enqueue(added);
                shard.Add(added);
            }
            else if (passing.TryDequeue(out var name))
            {
                Assert.That(shard.Remove(name));
            }
        }

        shard.Shrink(random.Next(MostChangesPerStep));
    }
}
