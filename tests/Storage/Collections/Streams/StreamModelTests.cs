using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Streams;

/// <summary>Edits of a stream, each made in a plain one as Redis has it, too.</summary>
internal sealed unsafe class StreamModelTests
{
    private static readonly string[] s_names = ["a", "b", "temperature", new('n', 300)];

    /// <summary>Small streams stay packed for a while; others have many nodes, of few entries or of many; entries of
    /// all lengths, with the same fields and with others.</summary>
    [TestCase(1, 40_000, 100, 4096, 20, 20)]
    [TestCase(2, 40_000, 3, 4096, 30, 400)]
    [TestCase(3, 60_000, 100, 500, 300, 3_000)]
    [TestCase(4, 60_000, 0, 0, 30, 3_000)]
    [TestCase(5, 20_000, 100, 4096, 10_000, 400)]
    [TestCase(6, 500_000, 100, 4096, 40, 5_000, Category = TestCategories.Long)]
    [TestCase(7, 500_000, 10, 300, 40, 200, Category = TestCategories.Long)]
    public void Every_edit_does_what_redis_does(
        int seed, int steps, int nodeEntries, int nodeBytes, int longest, int length)
    {
        var limits = new StreamLimits(nodeBytes, nodeEntries);
        var modelLimits = new StreamLimits(
            nodeBytes == 0 ? long.MaxValue : nodeBytes, nodeEntries == 0 ? long.MaxValue : nodeEntries);
        using var test = new TestShard(pageBits: 20);
        var edits = new StreamEdits(test, new StreamModel(modelLimits), limits, new Random(seed), longest, length);
        var met = new int[2];
        for (var step = 0; step < steps; step++)
        {
            edits.Step();
            met[edits.Record.IsLarge ? 1 : 0]++;
            if (step % Math.Max(16, length / 4) == 0)
            {
                edits.Compare();
            }
        }

        edits.Compare();
        Assert.That(met, Has.All.GreaterThan(0), "steps that met a packed stream and a large one");
        _ = test.Delete(test.Keys.Make(1, 8));
        while (test.Shard.Collections.HasDoomed)
        {
            test.Shard.Collections.FreeSome(100);
        }

        Assert.That(test.Shard.Collections.Heap.UsedBytes, Is.Zero, "bytes of a heap without collections");
    }

    [Test]
    public void Groups_do_what_redis_does([Values(1, 2, 3)] int seed)
    {
        using var test = new TestShard(pageBits: 20);
        var limits = new StreamLimits(4096, 100);
        var edits = new StreamEdits(test, new StreamModel(limits), limits, new Random(seed), 30, 500);
        for (var step = 0; step < 40_000; step++)
        {
            edits.StepWithGroups();
            if (step % 200 == 0)
            {
                edits.Compare();
            }
        }

        edits.Compare();
        _ = test.Delete(test.Keys.Make(1, 8));
        while (test.Shard.Collections.HasDoomed)
        {
            test.Shard.Collections.FreeSome(10);
        }

        Assert.That(test.Shard.Collections.Heap.UsedBytes, Is.Zero, "bytes of a heap without collections");
    }

    [Test]
    public void A_million_entries_of_three_fields_take_little_more_than_their_values()
    {
        const int Count = 1_000_000;
        using var test = new TestShard(pageBits: 20);
        var key = test.Keys.Make(1, 8);
        var fields = new byte[6][];
        for (var i = 0; i < 3; i++)
        {
            fields[2 * i] = Encoding.ASCII.GetBytes(s_names[i]);
            fields[(2 * i) + 1] = new byte[10];
        }

        var editor = new StreamEditor(test.Shard, key, default, StreamLimits.Default);
        for (var i = 0; i < Count; i++)
        {
            var id = new StreamId(1_700_000_000_000UL + (ulong)(i / 3), (ulong)i % 3);
            editor.Append(id, new StreamFieldList(fields));
        }

        Assert.That(editor.Read().Count, Is.EqualTo(Count));
        Assert.That(test.Shard.Collections.Heap.SizeBytes / (double)Count, Is.LessThanOrEqualTo(42));
    }

    private sealed class StreamEdits(
        TestShard test, StreamModel model, StreamLimits limits, Random random, int longest, int length)
    {
        private static readonly string[] s_groups = ["g", "group", "", "a group", new('g', 400)];
        private int _swing;

        public Record Record
            => test.Shard.TryGet(Key, test.NowMs, cold: null, out var record) ? record : default;

        private Key Key => test.Keys.Make(1, 8);

        public void Step()
        {
            _swing = (_swing + 1) % (4 * length);
            if (_swing == 0 && model.Groups.Count == 0)
            {
                _ = test.Delete(Key);
                model.Clear();
            }

            var editor = new StreamEditor(test.Shard, Key, Record, limits);
            if (editor.IsMissing)
            {
                editor.Create();
            }

            var grows = _swing < 2 * length;
            switch (random.Next(20))
            {
                case 0:
                    Trim(ref editor);
                    break;
                case 1 or 2:
                    Delete(ref editor, random.Next(3) == 0);
                    break;
                case 3 when random.Next(30) == 0:
                    model.LastId = new StreamId(model.LastId.Ms + (ulong)random.Next(3), model.LastId.Seq);
                    model.EntriesAdded += random.Next(100);
                    model.MaxDeletedId = new StreamId(model.MaxDeletedId.Ms, model.MaxDeletedId.Seq + 1);
                    editor.SetLastId(model.LastId);
                    editor.SetEntriesAdded(model.EntriesAdded);
                    editor.SetMaxDeletedId(model.MaxDeletedId);
                    break;
                case 4 when random.Next(10) == 0:
                    FreezeAndThaw();
                    break;
                case 5 when random.Next(10) == 0 && Record.IsLarge:
                    DeleteFromCopy(ref editor);
                    break;
                default:
                    if (grows || random.Next(3) == 0)
                    {
                        Append(ref editor);
                    }
                    else
                    {
                        Delete(ref editor, isLast: random.Next(4) == 0);
                    }

                    break;
            }

            test.Shard.Settle(0, test.NowMs);
        }

        public void StepWithGroups()
        {
            var choice = random.Next(40);
            if (choice < 12)
            {
                Step();
                return;
            }

            var editor = new StreamEditor(test.Shard, Key, Record, limits);
            var name = s_groups[random.Next(s_groups.Length)];
            var bytes = Encoding.ASCII.GetBytes(name);
            if (!model.Groups.TryGetValue(name, out var modelled))
            {
                modelled = new StreamModel.Group { LastId = model.LastId, EntriesRead = random.Next(10) - 1 };
                Assert.That(editor.TryCreateGroup(bytes, modelled.LastId, modelled.EntriesRead, out _));
                model.Groups.Add(name, modelled);
                return;
            }

            Assert.That(editor.TryCreateGroup(bytes, default, 0, out var group), Is.False);
            if (choice == 12 && random.Next(20) == 0)
            {
                editor.DestroyGroup(group);
                _ = model.Groups.Remove(name);
                return;
            }

            Change(ref editor, group, modelled, choice);
            test.Shard.Settle(0, test.NowMs);
        }

        public void Compare()
        {
            var record = Record;
            var reader = new StreamView(record);
            Assert.That(reader.Count, Is.EqualTo(model.Entries.Count));
            Assert.That(reader.LastId, Is.EqualTo(model.LastId));
            Assert.That(reader.FirstId, Is.EqualTo(model.FirstId));
            Assert.That(reader.MaxDeletedId, Is.EqualTo(model.MaxDeletedId));
            Assert.That(reader.EntriesAdded, Is.EqualTo(model.EntriesAdded));
            Assert.That(reader.NodeCount, Is.EqualTo(model.NodeCount));
            CompareEntries(reader.Walk(StreamId.Min, StreamId.Max), model.Entries);
            CompareEntries(reader.Walk(StreamId.Min, StreamId.Max, isReverse: true), model.Entries.Reverse());
            var from = AnyId();
            var to = AnyId();
            var range = model.Entries.Where(entry => entry.Key >= from && entry.Key <= to).ToList();
            CompareEntries(reader.Walk(from, to), range);
            range.Reverse();
            CompareEntries(reader.Walk(from, to, isReverse: true), range);
            Assert.That(reader.Contains(from), Is.EqualTo(model.Entries.ContainsKey(from)));
            CompareGroups(reader);
            if (record.IsLarge)
            {
                var used = test.Shard.Collections.Heap.UsedBytes - test.Shard.Collections.DoomedBytes;
                Assert.That(reader.LargeBytes, Is.EqualTo(used), "the weight is what the heap counts");
            }
        }

        private void Change(ref StreamEditor editor, StreamGroup group, StreamModel.Group modelled, int choice)
        {
            var name = $"consumer{random.Next(6)}";
            if (!group.TryFindConsumer(Encoding.ASCII.GetBytes(name), out var consumer))
            {
                Assert.That(editor.Edit(group).TryCreateConsumer(Encoding.ASCII.GetBytes(name), 77, out consumer));
                modelled.Consumers.Add(name, new StreamModel.Consumer { SeenMs = 77 });
            }

            var id = random.Next(3) == 0 && modelled.Pending.Count > 0
                ? modelled.Pending.Keys.ElementAt(random.Next(modelled.Pending.Count))
                : AnyId();
            switch (choice)
            {
                case < 14 when random.Next(10) == 0:
                    if (random.Next(2) == 0)
                    {
                        while (!editor.DeletePendingSome(consumer, 3))
                        {
                        }
                    }

                    _ = editor.DeleteConsumer(consumer);
                    _ = modelled.Consumers.Remove(name);
                    modelled.Pending.Where(entry => entry.Value.Consumer == name).ToList()
                        .ForEach(entry => modelled.Pending.Remove(entry.Key));
                    break;
                case < 18:
                    var now = random.Next(1_000);
                    modelled.Consumers[name].SeenMs = now;
                    modelled.Consumers[name].ActiveMs = random.Next(2) == 0 ? now : random.Next(1_000);
                    editor.Edit(group).SetSeen(consumer, now);
                    editor.Edit(group).SetActive(consumer, modelled.Consumers[name].ActiveMs);
                    break;
                case < 20:
                    modelled.LastId = id;
                    modelled.EntriesRead = random.Next(100);
                    editor.Edit(group).SetRead(id, modelled.EntriesRead);
                    break;
                case < 32:
                    var deliveries = random.Next(5);
                    editor.Edit(group).SetPending(consumer, id, choice, deliveries);
                    modelled.Pending[id] = (name, choice, deliveries);
                    break;
                default:
                    Assert.That(editor.Edit(group).RemovePending(id), Is.EqualTo(modelled.Pending.Remove(id)));
                    break;
            }
        }

        private void CompareGroups(StreamView reader)
        {
            Assert.That(reader.GroupCount, Is.EqualTo(model.Groups.Count));
            var uneven = false;
            var groups = reader.Groups;
            foreach (var (name, modelled) in model.Groups)
            {
                Assert.That(groups.TryNext(out var group));
                Assert.That(Encoding.ASCII.GetString(group.Name), Is.EqualTo(name));
                Assert.That(group.LastId, Is.EqualTo(modelled.LastId));
                Assert.That(group.EntriesRead, Is.EqualTo(modelled.EntriesRead));
                Assert.That(group.ConsumerCount, Is.EqualTo(modelled.Consumers.Count));
                ComparePending(group.PendingFrom(StreamId.Min), modelled.Pending);
                Assert.That(group.PendingCount, Is.EqualTo(modelled.Pending.Count));
                var consumers = group.Consumers;
                foreach (var (consumerName, consumerModel) in modelled.Consumers)
                {
                    Assert.That(consumers.TryNext(out var consumer));
                    Assert.That(Encoding.ASCII.GetString(consumer.Name), Is.EqualTo(consumerName));
                    Assert.That(consumer.SeenMs, Is.EqualTo(consumerModel.SeenMs));
                    Assert.That(consumer.ActiveMs, Is.EqualTo(consumerModel.ActiveMs));
                    uneven |= consumerModel.SeenMs != consumerModel.ActiveMs;
                    var own = modelled.Pending.Where(entry => entry.Value.Consumer == consumerName).ToList();
                    ComparePending(consumer.PendingFrom(StreamId.Min), own);
                    Assert.That(consumer.PendingCount, Is.EqualTo(own.Count));
                }
            }

            Assert.That(reader.HasUnevenConsumers, Is.EqualTo(uneven));
        }

        private static void ComparePending(
            PendingCursor cursor,
            IEnumerable<KeyValuePair<StreamId, (string Consumer, long Ms, long Deliveries)>> expected)
        {
            foreach (var (id, (consumer, ms, deliveries)) in expected)
            {
                Assert.That(cursor.TryNext(out var entry));
                Assert.That(entry.Id, Is.EqualTo(id));
                Assert.That(Encoding.ASCII.GetString(entry.Consumer.Name), Is.EqualTo(consumer));
                Assert.That((entry.DeliveredMs, entry.Deliveries), Is.EqualTo((ms, deliveries)));
            }

            Assert.That(cursor.TryNext(out _), Is.False);
        }

        private static void CompareEntries(StreamCursor cursor, IEnumerable<KeyValuePair<StreamId, byte[][]>> expected)
        {
            foreach (var (id, fields) in expected)
            {
                if (!cursor.TryNext() || cursor.Id != id || cursor.FieldCount != fields.Length / 2)
                {
                    Assert.Fail($"{id} was expected, {cursor.Id} is there");
                }

                for (var i = 0; cursor.TryNextField(out var name, out var value); i += 2)
                {
                    if (!name.SequenceEqual(fields[i]) || !value.SequenceEqual(fields[i + 1]))
                    {
                        Assert.Fail($"field {i} of {id} is another");
                    }
                }
            }

            Assert.That(cursor.TryNext(), Is.False);
        }

        private StreamId AnyId()
            => model.Entries.Count == 0 || random.Next(4) == 0
                ? new StreamId(
                    (ulong)random.NextInt64((long)(model.LastId.Ms % long.MaxValue) + 2), (ulong)random.Next(3))
                : model.Entries.Keys.ElementAt(random.Next(model.Entries.Count));

        private void Append(ref StreamEditor editor)
        {
            var last = model.LastId;
            var id = random.Next(20) switch
            {
                0 => new StreamId(last.Ms + (ulong)random.NextInt64(1L << 40), (ulong)random.NextInt64()),
                < 8 => new StreamId(last.Ms, last.Seq + 1),
                _ => new StreamId(last.Ms + (ulong)random.Next(1, 100), 0),
            };
            var isOrdinary = random.Next(5) > 0;
            var count = isOrdinary ? 3 : random.Next(1, 5);
            var fields = new byte[2 * count][];
            for (var i = 0; i < count; i++)
            {
                fields[2 * i] = Encoding.ASCII.GetBytes(isOrdinary ? s_names[i] : s_names[random.Next(4)]);
                fields[(2 * i) + 1] = random.Next(2) == 0
                    ? Encoding.ASCII.GetBytes($"{random.NextInt64(-10_000_000_000, 10_000_000_000) >> random.Next(40)}")
                    : new byte[random.Next(longest)];
            }

            editor.Append(id, new StreamFieldList(fields));
            model.Append(id, fields);
        }

        private void Delete(ref StreamEditor editor, bool isLast)
        {
            var id = AnyId();
            if (model.Entries.Count > 0 && isLast)
            {
                id = random.Next(2) == 0 ? model.Entries.Keys.Last() : model.FirstId;
            }

            Assert.That(editor.Delete(id), Is.EqualTo(model.Delete(id)));
        }

        private void DeleteFromCopy(ref StreamEditor editor)
        {
            var copy = new EntriesCopy(test.Shard, Record);
            for (long effort = 0; !copy.TryCopy(ref effort); effort = random.Next(200))
            {
            }

            if (random.Next(4) == 0)
            {
                _ = copy.Delete(AnyId());
                copy.Abandon();
                return;
            }

            for (var left = random.Next(3) == 0 ? 0 : random.Next(length); left >= 0; left--)
            {
                var id = AnyId();
                Assert.That(copy.Delete(id), Is.EqualTo(model.Delete(id)));
            }

            editor.Exchange(copy);
        }

        private void Trim(ref StreamEditor editor)
        {
            var isApproximate = random.Next(2) == 0;
            var limit = isApproximate && random.Next(2) == 0 ? random.Next(200) : 0;
            var least = AnyId();
            var count = model.Entries.Count - random.Next(Math.Max(1, model.Entries.Count / 2));
            var isByLength = random.Next(2) == 0;
            if (!isByLength && random.Next(4) > 0)
            {
                least = model.FirstId;
            }

            var trim = (isByLength ? StreamTrim.ToLength(count) : StreamTrim.ToId(least)) with
            {
                IsApproximate = isApproximate,
                Limit = limit,
            };
            var removed = Record.IsLarge && random.Next(2) == 0 ? TrimInSteps(editor, trim) : editor.Trim(trim);
            Assert.That(removed, Is.EqualTo(model.Trim(count, least, isByLength, isApproximate, limit)));
        }

        private long TrimInSteps(scoped in StreamEditor editor, in StreamTrim trim)
        {
            var front = editor.Front(trim);
            for (long effort = 0; !front.TryFind(ref effort); effort = random.Next(20))
            {
            }

            return editor.Remove(front);
        }

        private void FreezeAndThaw()
        {
            var large = Record;
            if (!large.IsLarge)
            {
                return;
            }

            test.Shard.Collections.Freeze(Key, large);
            var frozen = Record;
            Assert.That(frozen.IsFrozen);
            Assert.That(ShardCollections.CountOf(frozen), Is.EqualTo(model.Entries.Count));
            var reader = new StreamView(frozen);
            Assert.That((reader.LastId, reader.EntriesAdded, reader.NodeCount), Is.EqualTo(
                (model.LastId, model.EntriesAdded, (long)model.NodeCount)));
            _ = test.Shard.Collections.Thaw(Key, frozen);
        }
    }
}
