using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Lists;

/// <summary>Makes a list of elements that come one by one, from its head.</summary>
public sealed unsafe class ListLoader : CollectionLoader
{
    private ListpackLimit _limit;

    /// <inheritdoc cref="CollectionLoader(RecordType, MemoryBudget)"/>
    public ListLoader(MemoryBudget budget)
        : base(RecordType.List, budget)
    {
    }

    /// <summary>Begins with an empty list for a shard.</summary>
    public void Begin(CollectionStore store, ListpackLimit limit)
    {
        Begin(store);
        _limit = limit;
    }

    /// <summary>Adds an element at the tail.</summary>
    /// <exception cref="MemoryExhaustedException">The list is to be abandoned.</exception>
    public void Push(ReadOnlySpan<byte> element)
    {
        var size = ListEntry.SizeOf(element.Length);
        Ask(size);
        if (Root == null)
        {
            if (PackedBytes + (long)size <= ListEditor.MaxPackedBytes && _limit.AllowsCount(PackedCount + 1))
            {
                fixed (byte* target = Extend(size))
                {
                    ListEntry.Write(target, element);
                }

                PackedCount++;
                return;
            }

            MakeLarge();
        }

        BlockList.Push(Heap, (ListRoot*)Root, element, ListEnd.Tail);
    }

    /// <inheritdoc/>
    private protected override bool FitsPacked(long packedBytes) => false;

    /// <inheritdoc/>
    private protected override void OnLarge()
    {
        var list = (ListRoot*)Root;
        list->IsQuicklist = _limit.IsExceededBy(list->ListpackBytes + ListpackSize.FrameBytes, list->Count);
    }
}
