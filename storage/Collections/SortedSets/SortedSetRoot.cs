using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>The root block of a large sorted set: a table to find elements by member, a tree for their order. Both hold
/// the elements' blocks.</summary>
internal unsafe struct SortedSetRoot
{
    public ElementTable Table;
    public ScoreTree Tree;

    /// <summary>Bytes of the elements' blocks as the heap counts them.</summary>
    public long BlockBytes;

    /// <summary>Bytes of all elements when packed.</summary>
    public long PackedBytes;

    /// <summary>Bytes of everything, as the heap counts.</summary>
    public readonly long WeightBytes
        => SlabHeap.SizeOf(sizeof(SortedSetRoot)) + Table.SizeBytes + Tree.WeightBytes + BlockBytes;

    /// <summary>An empty set.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static SortedSetRoot* Create(SlabHeap heap, long expected)
    {
        var root = (SortedSetRoot*)heap.Allocate(sizeof(SortedSetRoot));
        *root = default;
        try
        {
            ElementTable.Initialize(&root->Table, heap, expected);
            root->Tree = ScoreTree.Create(heap);
            return root;
        }
        catch (MemoryExhaustedException)
        {
            SortedSetForm.Instance.Free(heap, (byte*)root);
            throw;
        }
    }

    /// <inheritdoc cref="ILargeForm.FreeSome"/>
    public static bool FreeSome(SlabHeap heap, SortedSetRoot* root, int elements)
    {
        for (; elements > 0; elements--)
        {
            if (root->Table.TryTake(heap, out var block))
            {
                ScoredElement.Free(heap, block);
            }
            else if (!root->Tree.IsGone)
            {
                root->Tree.FreeLastLeaf(heap);
            }
            else
            {
                heap.Free((byte*)root, sizeof(SortedSetRoot));
                return true;
            }
        }

        return false;
    }

    /// <summary>The block of a member, or null.</summary>
    public readonly byte* Find(ulong hash, ReadOnlySpan<byte> member) => Table.Find<ScoredElement>(hash, member);

    /// <summary>Adds an element that is not there, to table and tree.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Insert(SlabHeap heap, ulong hash, ReadOnlySpan<byte> member, double score)
    {
        var block = AddToTable(heap, hash, member, score);
        try
        {
            Tree.Insert(heap, block);
        }
        catch (MemoryExhaustedException)
        {
            TakeFromTable(heap, hash, block);
            throw;
        }
    }

    /// <summary>Adds an element that is not there and comes after all others.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Append(SlabHeap heap, ReadOnlySpan<byte> member, double score)
    {
        var hash = KeyHash.Compute(member);
        var block = AddToTable(heap, hash, member, score);
        try
        {
            Tree.Append(heap, block);
        }
        catch (MemoryExhaustedException)
        {
            TakeFromTable(heap, hash, block);
            throw;
        }
    }

    /// <summary>Adds an element to the table alone.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public byte* AddToTable(SlabHeap heap, ulong hash, ReadOnlySpan<byte> member, double score)
    {
        var block = ScoredElement.Create(heap, member, score);
        try
        {
            Table.Insert<ScoredElement>(heap, hash, block);
        }
        catch (MemoryExhaustedException)
        {
            ScoredElement.Free(heap, block);
            throw;
        }

        var bytes = ScoredElement.BytesOf(member.Length);
        BlockBytes += SlabHeap.SizeOf(bytes);
        PackedBytes += bytes;
        return block;
    }

    /// <summary>Takes the element at a place of the tree out.</summary>
    public void RemoveAt(SlabHeap heap, in ScorePath path)
    {
        var block = Tree.RemoveAt(heap, path);
        TakeFromTable(heap, KeyHash.Compute(ScoredElement.MemberOf(block)), block);
    }

    /// <summary>Takes an element out.</summary>
    public void Remove(SlabHeap heap, ulong hash, byte* block)
    {
        Tree.FindElement(block, out var path);
        _ = Tree.RemoveAt(heap, path);
        TakeFromTable(heap, hash, block);
    }

    private void TakeFromTable(SlabHeap heap, ulong hash, byte* block)
    {
        Table.Remove(heap, hash, block);
        var bytes = ScoredElement.BytesOf(block);
        BlockBytes -= SlabHeap.SizeOf(bytes);
        PackedBytes -= bytes;
        heap.Free(block, bytes);
    }
}
