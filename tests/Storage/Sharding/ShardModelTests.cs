using FsCheck.Fluent;
using NUnit.Framework;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Sharding;

[TestFixture]
internal sealed class ShardModelTests
{
    /// <summary>Up to a third of a million steps each, with pages of three sizes.</summary>
    [TestCase(14, 10, Category = TestCategories.Long)]
    [TestCase(16, 2)]
    [TestCase(16, 10, Category = TestCategories.Long)]
    [TestCase(18, 2)]
    [TestCase(18, 10, Category = TestCategories.Long)]
    public void Holds_what_a_dictionary_holds(int pageBits, int sequences)
    {
        const int Steps = 35_000;
        var compacted = 0L;
        ModelCheck.Run(ShardOperation.Generator(ShardModel.Keys).ArrayOf(Steps), sequences, operations =>
        {
            using var test = new TestShard(pageBits);
            var model = new ShardModel(test);
            foreach (var operation in operations)
            {
                model.Step(operation);
            }

            model.CheckAll();
            compacted += test.Shard.Statistics.CompactedPages;
        });
        Assert.That(compacted, Is.GreaterThan(0), "the steps made garbage to compact");
    }

    [Test]
    public void Nothing_is_left_of_what_is_cleared_and_disposed()
    {
        var test = new TestShard();
        var empty = test.Budget.UsedBytes;
        for (var i = 0; i < 5000; i++)
        {
            test.Set(test.Keys.Make(i, 12), 1, (i * 37) % 9000);
        }

        DatabaseEraser.EraseAll(test.Shard, author: null);
        test.Shard.RunCycle(0, test.NowMs, long.MaxValue / 4);
        test.Audit();
        Assert.That(test.Shard.Log.PageMemoryBytes + test.Shard.Log.RetiredBytes, Is.Zero);
        Assert.That(test.Budget.UsedBytes - test.Shard.Log.FreeFrameBytes, Is.EqualTo(empty));
        test.Dispose();
        Assert.That(test.Budget.UsedBytes, Is.Zero);
    }

    /// <summary>The shortest records, 16 bytes each, fill a page to its last byte.</summary>
    [Test]
    public void Finds_the_last_and_shortest_record_of_a_page()
    {
        using var test = new TestShard(pageBits: 14);
        for (var i = 0; i < 5000; i++)
        {
            test.Set(test.Keys.Make(i, 4), 1, i % 3 == 0 ? 3 : 0);
        }

        for (var i = 0; i < 5000; i++)
        {
            Assert.That(test.Get(test.Keys.Make(i, 4), out _), Is.True, $"key {i}");
        }

        test.Audit();
    }

    [Test]
    public void A_string_that_grows_is_not_copied_each_time()
    {
        using var test = new TestShard();
        test.Set(test.Keys.Make(1, 8), 7, 1);
        for (var length = 2; length <= 10_000; length++)
        {
            var key = test.Keys.Make(1, 8);
            Assert.That(test.Get(key, out var record), Is.True);
            TestStrings.Resize(test.Shard, key, record, length).MutableValue[^1] = 7;
            test.Shard.Settle(0, test.NowMs);
        }

        Assert.That(test.Get(test.Keys.Make(1, 8), out var grown), Is.True);
        Assert.That(grown.Value.ContainsAnyExcept((byte)7), Is.False);
        Assert.That(test.Shard.Log.AppendedBytes, Is.LessThan(60_000));
    }

    [Test]
    public void Toggling_an_expiry_keeps_value_and_flags()
    {
        using var test = new TestShard();
        var key = test.Keys.Make(1, 8);
        test.Set(key, 9, 100);
        Assert.That(test.Get(key, out var record), Is.True);
        record = TestStrings.Resize(test.Shard, key, record, 50);
        record = test.Shard.SetExpiry(key, record, test.NowMs + 10, TestChange.Any);
        Assert.That(record.ExpiryMs, Is.EqualTo(test.NowMs + 10));
        record = test.Shard.SetExpiry(key, record, -1, TestChange.Any);
        Assert.That(record.ExpiryMs, Is.EqualTo(-1));
        Assert.That(record.Flags, Is.EqualTo(RecordFlags.Edited));
        Assert.That(record.Value.ToArray(), Is.EqualTo(Enumerable.Repeat((byte)9, 50)));
        test.Audit();
    }
}
