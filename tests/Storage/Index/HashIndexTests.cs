using NUnit.Framework;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Index;

[TestFixture]
internal sealed unsafe class HashIndexTests
{
    private const long Reserve = 1L << 30;

    private readonly MemoryBudget _budget = new();

    /// <summary>Half a million steps each. With few distinct low bits chains overflow; the high bits tell the entries
    /// apart.</summary>
    [TestCase(300, 0xFFFF_FFFF_FFFF_FF03UL)]
    [TestCase(20_000, ulong.MaxValue)]
    public void Agrees_with_a_dictionary(int entries, ulong mask)
        => ModelCheck.Run(
            ModelCheck.Swings(
                IndexOperation.Generator(entries, insertPercent: 70, removePercent: 20),
                IndexOperation.Generator(entries, insertPercent: 20, removePercent: 50), swings: 4, length: 1_250),
            count: 100,
            operations =>
            {
                using var region = new StripedRegion(Reserve, owners: 1, HashIndex.StripeBits);
                using var index = new HashIndex(_budget, region.Of(0));
                Replay(operations, index, mask);
            });

    [Test]
    public void Grows_and_shrinks_one_bucket_at_a_time()
    {
        using var region = new StripedRegion(Reserve, owners: 1, HashIndex.StripeBits);
        using var index = new HashIndex(_budget, region.Of(0));
        var model = new Dictionary<ulong, ulong>();
        for (var i = 1UL; i <= 50_000; i++)
        {
            var before = index.BucketCount;
            Apply(index, model, Scatter(i), 1);
            Assert.That(index.BucketCount - before, Is.LessThanOrEqualTo(1));
        }

        Check(index, model);
        Assert.That((double)index.SizeBytes / index.Count, Is.LessThan(17), "bytes a key");
        for (var i = 1UL; i <= 49_990; i++)
        {
            Apply(index, model, Scatter(i), -1);
        }

        while (index.TryShrink())
        {
            // To the end.
        }

        Check(index, model);
        Assert.That(index.BucketCount, Is.EqualTo(64));
        Assert.That(index.SizeBytes, Is.LessThanOrEqualTo(8 << 10));
    }

    [Test]
    public void Keeps_entries_of_one_bucket_in_a_chain()
    {
        using var region = new StripedRegion(Reserve, owners: 1, HashIndex.StripeBits);
        using var index = new HashIndex(_budget, region.Of(0));
        var model = new Dictionary<ulong, ulong>();
        for (var i = 0UL; i < 200; i++)
        {
            Apply(index, model, i << 6, 1);
        }

        Check(index, model);
        Assert.That(index.OverflowBucketCount, Is.GreaterThan(0));
        foreach (var hash in model.Keys.ToArray())
        {
            Apply(index, model, hash, -1);
        }

        Check(index, model);
        Assert.That(index.OverflowBucketCount, Is.Zero);
    }

    [Test]
    public void A_cursor_meets_every_entry_that_stays_while_the_table_grows_and_shrinks([Values] bool grows)
    {
        var random = new Random(42);
        using var region = new StripedRegion(Reserve, owners: 1, HashIndex.StripeBits);
        using var index = new HashIndex(_budget, region.Of(0));
        var model = new Dictionary<ulong, ulong>();
        for (var i = 1UL; i <= 20_000; i++)
        {
            Apply(index, model, Scatter(i), 1);
        }

        var seen = new HashSet<ulong>();
        var next = grows ? 20_001UL : 20_000UL;
        var cursor = 0UL;
        do
        {
            cursor = index.NextCursor(cursor, out var bucket);
            for (var words = index.Bucket(bucket); words != null; words = index.Next(words))
            {
                for (var i = 0; i < HashIndex.EntriesPerBucket; i++)
                {
                    _ = seen.Add(IndexEntry.Address(words[i]));
                }
            }

            for (var i = random.Next(40); i > 0 && next > 1000 && next < 200_000; i--)
            {
                Apply(index, model, Scatter(next), grows ? 1 : -1);
                next += grows ? 1UL : ulong.MaxValue;
                _ = index.TryShrink();
            }
        }
        while (cursor != 0);

        for (var i = 1UL; i <= 1000; i++)
        {
            Assert.That(seen.Contains(AddressOf(Scatter(i))), Is.True, $"entry {i} was there all the while");
        }
    }

    [Test]
    public void Gives_its_memory_back()
    {
        var budget = new MemoryBudget();
        using var region = new StripedRegion(Reserve, owners: 4, HashIndex.StripeBits);
        var index = new HashIndex(budget, region.Of(1));
        var model = new Dictionary<ulong, ulong>();
        var empty = budget.UsedBytes;
        for (var i = 1UL; i <= 10_000; i++)
        {
            Apply(index, model, Scatter(i), 1);
        }

        Assert.That(budget.UsedBytes, Is.EqualTo(index.SizeBytes).And.GreaterThan(empty));
        index.Clear();
        Assert.That(budget.UsedBytes, Is.EqualTo(empty));
        Check(index, []);
        index.Dispose();
        Assert.That(budget.UsedBytes, Is.Zero);
    }

    private static void Replay(IndexOperation[] operations, HashIndex index, ulong mask)
    {
        const int StepsBetweenChecks = 500;
        var model = new Dictionary<ulong, ulong>();
        for (var step = 0; step < operations.Length; step++)
        {
            var (kind, number) = operations[step];
            var change = kind switch
            {
                IndexOperationKind.Insert => 1,
                IndexOperationKind.Remove => -1,
                _ => 0,
            };
            Apply(index, model, Scatter((ulong)number) & mask, change);
            if (step % StepsBetweenChecks == 0)
            {
                Check(index, model);
            }
        }

        Check(index, model);
    }

    private static ulong Scatter(ulong number)
        => ((number + 1) * 0x9E3779B97F4A7C15UL) ^ (((number + 7) * 0xD6E8FEB86659FD93UL) >> 29);

    /// <summary>An address that names the hash: the model has one entry per hash.</summary>
    private static ulong AddressOf(ulong hash) => ((hash * 0xA0761D6478BD642FUL) >> 28) | 1;

    private static void Apply(HashIndex index, Dictionary<ulong, ulong> model, ulong hash, int step)
    {
        if (step > 0 && model.TryAdd(hash, AddressOf(hash)))
        {
            var slot = index.Insert(hash, AddressOf(hash), frequency: 0);
            Assert.That(IndexEntry.Address(*slot), Is.EqualTo(AddressOf(hash)));
        }
        else if (step < 0 && model.Remove(hash))
        {
            index.Remove(hash, Find(index, hash));
        }
        else if (step == 0)
        {
            _ = index.TryShrink();
        }
    }

    private static ulong* Find(HashIndex index, ulong hash)
    {
        for (var bucket = index.Bucket(index.BucketOf(hash)); bucket != null; bucket = index.Next(bucket))
        {
            for (var match = HashIndex.Match(bucket, IndexEntry.TagInPlace(hash)); match != 0; match &= match - 1)
            {
                var slot = bucket + System.Numerics.BitOperations.TrailingZeroCount(match);
                if (IndexEntry.Address(*slot) == AddressOf(hash))
                {
                    return slot;
                }
            }
        }

        return null;
    }

    private static void Check(HashIndex index, Dictionary<ulong, ulong> model)
    {
        Assert.That(index.Count, Is.EqualTo(model.Count));
        foreach (var hash in model.Keys)
        {
            if (Find(index, hash) == null)
            {
                Assert.Fail($"the entry of {hash:x} is not found");
            }
        }

        var entries = 0;
        var chained = 0U;
        for (var bucket = 0U; bucket < index.BucketCount; bucket++)
        {
            for (var words = index.Bucket(bucket); words != null; words = index.Next(words))
            {
                chained += words == index.Bucket(bucket) ? 0U : 1U;
                for (var i = 0; i < HashIndex.EntriesPerBucket; i++)
                {
                    entries += words[i] == 0 ? 0 : 1;
                }
            }
        }

        Assert.That(entries, Is.EqualTo(model.Count));
        Assert.That(chained, Is.EqualTo(index.OverflowBucketCount));
    }
}
