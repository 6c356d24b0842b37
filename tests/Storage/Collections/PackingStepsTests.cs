using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Tests.Storage.Collections.Streams;

namespace Strata.Tests.Storage.Collections;

/// <summary>Large collections packed, and made large again, in steps of some size and in one go: to the same bytes.
/// </summary>
internal sealed unsafe class PackingStepsTests
{
    private const int Elements = 3_000;

    private readonly Random _random = new(7);

    [Test]
    public void Steps_make_what_one_go_makes(
        [Values(RecordType.Hash, RecordType.List, RecordType.Set, RecordType.SortedSet, RecordType.Stream)]
        RecordType type,
        [Values(1, 7, 100, 2_000)] int effort)
    {
        using var test = new TestHeap();
        var form = TypeInfo.Of(type).Large;
        var root = Build(type, test.Heap);
        var whole = new byte[form.PackedBytesOf(root)];
        form.Pack(root, whole);

        var packed = new byte[whole.Length];
        var cursor = default(PackingCursor);
        var packSteps = 0;
        for (; !cursor.IsAtEnd; packSteps++)
        {
            form.PackSome(root, packed, ref cursor, effort);
        }

        Assert.That(packed, Is.EqualTo(whole));
        var copy = form.Create(test.Heap, expected: 0);
        cursor = default;
        var unpackSteps = 0;
        for (; !cursor.IsAtEnd; unpackSteps++)
        {
            form.UnpackSome(test.Heap, copy, packed, ref cursor, effort);
        }

        // Lists and trees are packed by blocks, of which each has many elements.
        var isTable = type is RecordType.Hash or RecordType.Set;
        var least = isTable ? Elements / effort / 2 : Math.Min(Elements / effort / 2, 4);
        Assert.That(packSteps, Is.GreaterThanOrEqualTo(least));
        Assert.That(unpackSteps, Is.GreaterThanOrEqualTo(least));
        Assert.That(form.CountOf(copy), Is.EqualTo(form.CountOf(root)));
        Assert.That(Entries(form, type, copy), Is.EqualTo(Entries(form, type, root)));
        form.Free(test.Heap, root);
        form.Free(test.Heap, copy);
        Assert.That(test.Heap.UsedBytes, Is.Zero);
    }

    [Test]
    public void A_packed_hash_that_never_was_large_has_no_times()
    {
        using var test = new TestHeap();
        var packed = new byte[PackedForm.HeaderBytes + 4];
        PackedForm.SetCount(packed, 1);
        _ = PackedForm.Write(packed.AsSpan(4), "f"u8);
        _ = PackedForm.Write(packed.AsSpan(6), "v"u8);
        var root = HashForm.Instance.Unpack(test.Heap, packed);
        Assert.That(HashForm.Instance.CountOf(root), Is.EqualTo(1));
        Assert.That(((HashRoot*)root)->Expiries.Count, Is.Zero);
        HashForm.Instance.Free(test.Heap, root);
    }

    private byte* Build(RecordType type, SlabHeap heap)
    {
        var root = TypeInfo.Of(type).Large.Create(heap, Elements);
        for (var i = 0; i < Elements; i++)
        {
            var length = _random.Next(500) == 0 ? _random.Next(40_000) : _random.Next(60);
            var element = Encoding.ASCII.GetBytes($"{i}:{new string('e', length)}");
            switch (type)
            {
                case RecordType.Hash:
                    var expiryMs = _random.Next(3) == 0 ? _random.Next(1_000_000) : -1L;
                    ((HashRoot*)root)->Add(heap, KeyHash.Compute(element), element, element, expiryMs);
                    break;
                case RecordType.List:
                    BlockList.Push(heap, (ListRoot*)root, element, i % 3 == 0 ? ListEnd.Head : ListEnd.Tail);
                    ((ListRoot*)root)->IsQuicklist = true;
                    break;
                case RecordType.Stream:
                    AddToStream(heap, (StreamRoot*)root, i, element);
                    break;
                case RecordType.Set:
                    _ = new LargeSet(root).Add(heap, element);
                    break;
                default:
                    ((SortedSetRoot*)root)->Insert(heap, KeyHash.Compute(element), element, _random.Next(100));
                    break;
            }
        }

        return root;
    }

    private void AddToStream(SlabHeap heap, StreamRoot* root, int number, byte[] element)
    {
        var fields = new StreamFieldList(["field"u8.ToArray(), element]);
        var id = new StreamId((ulong)number, 1);
        LargeStream.Append(heap, root, id, fields, StreamLimits.Default);
        root->Meta.LastId = id;
        root->Meta.FirstId = new StreamId(0, 1);
        if (number % 100 == 0)
        {
            _ = GroupBlock.Add(heap, root, element, id, number);
        }

        var group = GroupBlock.Of(root->Groups.Last);
        if (number % 10 == 0)
        {
            _ = ConsumerBlock.Add(heap, root, group, element, number, number % 20);
        }

        if (group->Consumers.Count > 0)
        {
            PendingEntries.Set(heap, root, group, ConsumerBlock.Of(group->Consumers.Last), id, number, 2);
        }
    }

    /// <summary>The packed entries, with the times of a hash's fields, in an order that does not depend on a table's.
    /// </summary>
    private static List<string> Entries(ILargeForm form, RecordType type, byte* root)
    {
        var packed = new byte[form.PackedBytesOf(root)];
        form.Pack(root, packed);
        if (type is RecordType.List or RecordType.SortedSet or RecordType.Stream)
        {
            return [Convert.ToHexString(packed)];
        }

        var entries = new List<string>();
        var walk = type == RecordType.Set ? new LargeSet(root).Walk() : ElementTable.Walk(&((HashRoot*)root)->Table);
        while (walk.TryNext(out var block))
        {
            entries.Add(type == RecordType.Set
                ? Encoding.ASCII.GetString(SetMember.KeyOf(block))
                : $"{Encoding.ASCII.GetString(HashField.EntriesSpan(block))} {HashField.ExpiryMsOf(block)}");
        }

        entries.Sort(StringComparer.Ordinal);
        return entries;
    }
}
