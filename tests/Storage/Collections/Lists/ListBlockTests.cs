using NUnit.Framework;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Lists;

/// <summary>Generated edits of one block, each made in a plain list of arrays too, up to a block that is full to its
/// last byte.</summary>
[TestFixture]
internal sealed unsafe class ListBlockTests
{
    private const int Capacity = 700;
    private const int GuardBytes = 64;
    private const byte Guard = 0xA5;

    private static readonly string[] s_steps = ["full", "gather", "insert", "pop", "push", "refuse push", "remove"];

    private static int BlockBytes => GuardBytes + sizeof(ListBlock) + Capacity + GuardBytes;

    [Test]
    public void Every_edit_does_what_a_plain_list_does([Values] ListEnd growsAt)
    {
        var met = new SortedDictionary<string, int>();
        ModelCheck.Run(
            ModelCheck.Swings(
                ListOperation.Generator(grows: true, longest: 300), ListOperation.Generator(grows: false, longest: 300),
                swings: 10, length: 40),
            count: 200,
            operations => Replay(operations, growsAt, met));
        Assert.That(met.Keys, Is.EqualTo(s_steps));
        Assert.That(met.Values, Has.All.GreaterThan(100));
    }

    [Test]
    public void A_run_of_elements_is_moved_in_order([Values] ListEnd growsAt, [Values] ListEnd targetGrowsAt)
    {
        using var memory = new NativeSpan(2 * BlockBytes);
        fixed (byte* start = memory.Span)
        {
            var block = NewBlock(start, growsAt);
            var target = NewBlock(start + BlockBytes, targetGrowsAt);
            var model = Fill(block, lengths: [0, 3, 260, 1, 0]);
            var targetModel = Fill(target, lengths: [20, 0, 255, 5]);
            var moved = ListBlock.Insert(At(target, 2), At(block, 1), bytes: 3 + 268 + 1, count: 3);
            targetModel.InsertRange(2, model[1..4]);
            Assert.That(moved.Slot == At(target, 2).Slot && moved.Entry == At(target, 2).Entry);
            Check(block, model);
            Check(target, targetModel);
        }
    }

    private static void Replay(ListOperation[] operations, ListEnd growsAt, SortedDictionary<string, int> met)
    {
        using var memory = new NativeSpan(BlockBytes);
        fixed (byte* start = memory.Span)
        {
            var block = NewBlock(start, growsAt);
            var model = Fill(block, lengths: [7]);
            foreach (var operation in operations)
            {
                var step = Step(block, model, operation);
                met[step] = met.GetValueOrDefault(step) + 1;
                Check(block, model);
            }
        }
    }

    private static string Step(ListBlock* block, List<byte[]> model, in ListOperation operation)
    {
        var element = operation.Element();
        var bytes = ListPosition.BytesFor(element.Length);
        var index = operation.Place % model.Count;
        var end = operation.End;
        switch (operation.Kind)
        {
            case ListOperationKind.Push:
                if (!block->HasRoom(end, bytes, 1))
                {
                    return "refuse push";
                }

                ListBlock.Push(block, end, bytes).Write(element);
                model.Insert(end == ListEnd.Head ? 0 : model.Count, element);
                return "push";
            case ListOperationKind.Pop or ListOperationKind.Rotate when model.Count > 1:
                var popped = end == ListEnd.Head ? ListBlock.FirstOf(block) : ListBlock.LastOf(block);
                ListBlock.Pop(block, end, popped.Bytes);
                model.RemoveAt(end == ListEnd.Head ? 0 : model.Count - 1);
                return "pop";
            case ListOperationKind.Remove or ListOperationKind.Trim when model.Count > 1:
                var removed = At(block, index);
                ListBlock.CloseGap(ref removed);
                model.RemoveAt(index);
                Assert.That(removed.Slot == At(block, index).Slot && removed.Entry == At(block, index).Entry);
                return "remove";
            default:
                return Insert(block, model, operation.Place % (model.Count + 1), element);
        }
    }

    private static string Insert(ListBlock* block, List<byte[]> model, int index, byte[] element)
    {
        var bytes = ListPosition.BytesFor(element.Length);
        if (block->Capacity - block->Used <= bytes)
        {
            return "full";
        }

        var gathers = !block->HasRoom(ListEnd.Head, bytes, 1) && !block->HasRoom(ListEnd.Tail, bytes, 1);
        var position = At(block, index);
        ListBlock.OpenGap(ref position, bytes, 1);
        position.Write(element);
        model.Insert(index, element);
        Assert.That(position.Slot == At(block, index).Slot && position.Entry == At(block, index).Entry);
        return gathers ? "gather" : "insert";
    }

    private static ListBlock* NewBlock(byte* start, ListEnd growsAt)
    {
        new Span<byte>(start, BlockBytes).Fill(Guard);
        var block = (ListBlock*)(start + GuardBytes);
        ListBlock.Initialize(block, Capacity, growsAt);
        Assert.That(block->GrowsAt, Is.EqualTo(growsAt));
        return block;
    }

    private static List<byte[]> Fill(ListBlock* block, int[] lengths)
    {
        var model = new List<byte[]>();
        foreach (var length in lengths)
        {
            var element = Enumerable.Range(length, length).Select(i => (byte)i).ToArray();
            ListBlock.Push(block, block->GrowsAt, ListPosition.BytesFor(length)).Write(element);
            model.Insert(block->GrowsAt == ListEnd.Head ? 0 : model.Count, element);
        }

        return model;
    }

    private static ListPosition At(ListBlock* block, int index)
    {
        var position = ListBlock.FirstOf(block);
        for (; index > 0; index--)
        {
            position.MoveNext();
        }

        return position;
    }

    private static void Check(ListBlock* block, List<byte[]> model)
    {
        Assert.That(block->Count, Is.EqualTo(model.Count));
        Assert.That(block->Used, Is.EqualTo(model.Sum(element => ListPosition.BytesFor(element.Length) + 1)));
        var position = ListBlock.FirstOf(block);
        foreach (var element in model)
        {
            Assert.That(position.Element.SequenceEqual(element));
            position.MoveNext();
        }

        var end = ListBlock.EndOf(block);
        Assert.That(position.Slot == end.Slot && position.Entry == end.Entry, "the end");
        foreach (var element in Enumerable.Reverse(model))
        {
            position.MovePrevious();
            Assert.That(position.Element.SequenceEqual(element), "from behind");
        }

        var packed = new byte[block->PackedBytes];
        ListBlock.Pack(block, packed);
        Assert.That(packed, Has.Length.EqualTo(model.Sum(element => ListEntry.SizeOf(element.Length))));
        Assert.That(new Span<byte>((byte*)block - GuardBytes, GuardBytes).IndexOfAnyExcept(Guard), Is.EqualTo(-1));
        Assert.That(
            new Span<byte>((byte*)(block + 1) + Capacity, GuardBytes).IndexOfAnyExcept(Guard), Is.EqualTo(-1));
    }
}
