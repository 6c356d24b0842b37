using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// Ids in order, and some words that belong to each: a B+ tree (Bayer and McCreight, 1972; Comer, "The ubiquitous
/// B-tree", 1979) in blocks of a <see cref="SlabHeap"/>. Its only leaf grows with it, and stays when the last entry
/// goes, as the next one often comes soon; what is added at the end leaves full nodes behind. A node that has lost
/// most of its entries becomes one with a neighbour, if both have room in one. A struct within its owner's block;
/// default with its number of words is an empty tree, which has no memory.
/// </summary>
/// <param name="words">Words of an entry.</param>
internal unsafe struct IdTree(int words)
{
    private const int LeastCapacity = 4;

    // A node with fewer entries than this part is merged with a neighbour; the merged one has some room left.
    private const int SparseShare = 4;
    private const int MergedEighths = 7;

    private readonly int _stride = IdNode.StrideOf(words);
    private IdNode* _top;
    private int _depth;

    /// <summary>Entries.</summary>
    public long Count { get; private set; }

    /// <summary>The first entry.</summary>
    public readonly IdPlace First => new(Leftmost, 0, _stride);

    /// <summary>The last entry.</summary>
    public readonly IdPlace Last => new(LastLeaf, LastLeaf == null ? 0 : LastLeaf->Count - 1, _stride);

    /// <summary>Bytes of all nodes, as the heap counts. For that all branches are looked at.</summary>
    public readonly long WeightBytes
        => _depth > 0 ? IdBranches.CountNodes(_top, _depth) * SlabHeap.SizeOf(IdNode.FullBytes)
            : _top == null ? 0
            : SlabHeap.SizeOf(IdNode.BytesOf(_top->Capacity, _stride));

    /// <summary>Whether all memory has been freed.</summary>
    public readonly bool IsGone => _top == null;

    private IdNode* LastLeaf { readonly get; set; }

    private readonly int FullCapacity => IdNode.CapacityOf(_stride);

    private readonly IdNode* Leftmost
    {
        get
        {
            var node = _top;
            for (var level = 0; level < _depth; level++)
            {
                node = IdNode.ChildAt(node, 0);
            }

            return node;
        }
    }

    /// <summary>The words of an id, or null.</summary>
    public readonly ulong* Find(StreamId id)
    {
        var node = LeafFor(id);
        if (node == null)
        {
            return null;
        }

        var index = IdNode.CountBelow(node, _stride, id);
        return index < node->Count && *IdNode.At(node, index, _stride) == id
            ? IdNode.WordsAt(node, index, _stride)
            : null;
    }

    /// <summary>Whether an id is above all that are there.</summary>
    public readonly bool IsBehindAll(StreamId id)
        => LastLeaf == null || LastLeaf->Count == 0 || *IdNode.At(LastLeaf, LastLeaf->Count - 1, _stride) < id;

    /// <summary>The first entry from an id on.</summary>
    public readonly IdPlace From(StreamId id)
    {
        var leaf = LeafFor(id);
        return new IdPlace(leaf, leaf == null ? 0 : IdNode.CountBelow(leaf, _stride, id), _stride);
    }

    /// <summary>The last entry up to an id.</summary>
    public readonly IdPlace UpTo(StreamId id)
    {
        var leaf = LeafFor(id);
        if (leaf == null)
        {
            return default;
        }

        var index = IdNode.CountBelow(leaf, _stride, id);
        var isThere = index < leaf->Count && *IdNode.At(leaf, index, _stride) == id;
        return new IdPlace(leaf, isThere ? index : index - 1, _stride);
    }

    /// <summary>Adds an id that is not there.</summary>
    /// <returns>Its words, which hold anything.</returns>
    /// <exception cref="MemoryExhaustedException">The tree holds what it held.</exception>
    public ulong* Add(in StreamMemory memory, StreamId id)
    {
        if (_top == null)
        {
            _top = AllocateNode(memory, LeastCapacity);
            LastLeaf = _top;
        }

        var leaf = LastLeaf;
        var index = leaf->Count;
        if (index == leaf->Capacity || (index > 0 && id < *IdNode.At(leaf, index - 1, _stride)))
        {
            FindPlace(id, out var path);
            while (path.Leaf->Count == path.Leaf->Capacity)
            {
                MakeRoom(memory, path);
                FindPlace(id, out path);
            }

            leaf = path.Leaf;
            index = path.Index;
        }

        IdNode.Shift(leaf, index, 1, _stride);
        *IdNode.At(leaf, index, _stride) = id;
        Count++;
        return IdNode.WordsAt(leaf, index, _stride);
    }

    /// <summary>Takes an id out. Nothing is allocated.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(in StreamMemory memory, StreamId id)
    {
        if (_top == null)
        {
            return false;
        }

        FindPlace(id, out var path);
        var leaf = path.Leaf;
        if (path.Index == leaf->Count || *IdNode.At(leaf, path.Index, _stride) != id)
        {
            return false;
        }

        IdNode.Shift(leaf, path.Index + 1, -1, _stride);
        Count--;
        if (_depth == 0)
        {
            return true;
        }

        if (Count == 0)
        {
            while (!IsGone)
            {
                FreeLastLeaf(memory);
            }
        }
        else if (leaf->Count < leaf->Capacity / SparseShare)
        {
            Condense(memory, path);
        }

        return true;
    }

    /// <summary>Cuts off the leaves that have nothing from an id on.</summary>
    /// <param name="memory">Where the tree's nodes lie, and those that the other one needs besides.</param>
    /// <param name="id">The id.</param>
    /// <param name="below">How many entries are below it.</param>
    /// <returns>The tree of what was cut off.</returns>
    /// <exception cref="MemoryExhaustedException">The tree holds what it held.</exception>
    public IdTree CutBefore(in StreamMemory memory, StreamId id, long below)
    {
        var front = new IdTree(words: (_stride - IdNode.StrideOf(0)) / sizeof(ulong));
        FindPlace(id, out var path);
        if (path.Leaf->Previous == null)
        {
            return front;
        }

        front._top = IdBranches.CopyBefore(memory, path, _depth, out var topLevel);
        front._depth = _depth - topLevel;
        front.LastLeaf = path.Leaf->Previous;
        front.LastLeaf->Next = null;
        front.Count = below - path.Index;
        path.Leaf->Previous = null;
        Count -= front.Count;
        for (var level = 0; level < _depth; level++)
        {
            var index = path.IndexAt(level);
            IdNode.Shift(path.BranchAt(level), index, -index, IdNode.BranchStride);
        }

        Flatten(memory);
        return front;
    }

    /// <summary>Takes the last leaf away from a tree that is given up, until it <see cref="IsGone"/>.</summary>
    public void FreeLastLeaf(in StreamMemory memory)
    {
        Descend(StreamId.Max, out var path);
        FreeNode(memory, path.Leaf, _stride);
        var level = _depth - 1;
        for (; level >= 0 && --path.BranchAt(level)->Count == 0; level--)
        {
            FreeNode(memory, path.BranchAt(level), IdNode.BranchStride);
        }

        if (level < 0)
        {
            this = new IdTree(words: (_stride - IdNode.StrideOf(0)) / sizeof(ulong));
        }
    }

    /// <summary>Entries of the last leaf of a tree that is given up.</summary>
    public readonly int CountOfLastLeaf(out IdPlace first)
    {
        Descend(StreamId.Max, out var path);
        first = new IdPlace(path.Leaf, 0, _stride);
        return path.Leaf->Count;
    }

    private readonly IdNode* LeafFor(StreamId id)
    {
        var node = _top;
        for (var level = 0; level < _depth; level++)
        {
            node = IdNode.ChildAt(node, IdNode.ChildFor(node, id));
        }

        return node;
    }

    private readonly void Descend(StreamId id, out IdPath path)
    {
        System.Runtime.CompilerServices.Unsafe.SkipInit(out path);
        var node = _top;
        for (var level = 0; level < _depth; level++)
        {
            var index = IdNode.ChildFor(node, id);
            path.Set(level, node, index);
            node = IdNode.ChildAt(node, index);
        }

        path.Leaf = node;
    }

    private readonly void FindPlace(StreamId id, out IdPath path)
    {
        Descend(id, out path);
        path.Index = IdNode.CountBelow(path.Leaf, _stride, id);
    }

    private readonly IdNode* AllocateNode(in StreamMemory memory, int capacity)
    {
        var node = (IdNode*)memory.Allocate(IdNode.BytesOf(capacity, _stride));
        *node = new IdNode { Capacity = capacity };
        return node;
    }

    private static void FreeNode(in StreamMemory memory, IdNode* node, int stride)
        => memory.Free((byte*)node, IdNode.BytesOf(node->Capacity, stride));

    /// <summary>Takes one step towards room in a full leaf; the tree holds the same before and after.</summary>
    private void MakeRoom(in StreamMemory memory, in IdPath path)
    {
        if (path.Leaf->Capacity < FullCapacity)
        {
            Enlarge(memory);
            return;
        }

        // The lowest level whose branch takes another child; its child on the way is the one to split.
        var level = _depth - 1;
        while (level >= 0 && path.BranchAt(level)->Count == path.BranchAt(level)->Capacity)
        {
            level--;
        }

        if (level < 0)
        {
            AddTop(memory);
            return;
        }

        // At the end ids come in order: what is full stays nearly so.
        var isEnd = path.Leaf == LastLeaf && path.Index == path.Leaf->Count;
        var parent = path.BranchAt(level);
        if (level == _depth - 1)
        {
            SplitLeaf(memory, parent, path.IndexAt(level), isEnd ? path.Leaf->Count - 1 : path.Leaf->Count / 2);
            return;
        }

        var branch = path.BranchAt(level + 1);
        var kept = isEnd ? branch->Count - 1 : branch->Count / 2;
        var right = IdBranches.Allocate(memory);
        IdNode.MoveEnd(branch, kept, right, IdNode.BranchStride);
        AddChild(parent, path.IndexAt(level) + 1, right, IdNode.BranchStride);
    }

    /// <summary>Gives the only leaf room for twice as many.</summary>
    private void Enlarge(in StreamMemory memory)
    {
        var node = AllocateNode(memory, Math.Min(FullCapacity, 2 * _top->Capacity));
        IdNode.MoveEnd(_top, 0, node, _stride);
        FreeNode(memory, _top, _stride);
        _top = node;
        LastLeaf = node;
    }

    private void AddTop(in StreamMemory memory)
    {
        Invariant.Check(_depth < IdPath.MaxDepth, "a tree is never so deep");
        var top = IdBranches.Allocate(memory);
        AddChild(top, 0, _top, _depth == 0 ? _stride : IdNode.BranchStride);
        _top = top;
        _depth++;
    }

    private static void AddChild(IdNode* parent, int index, IdNode* child, int stride)
    {
        IdNode.Shift(parent, index, 1, IdNode.BranchStride);
        *IdNode.At(parent, index, IdNode.BranchStride) = *IdNode.At(child, 0, stride);
        *IdNode.WordsAt(parent, index, IdNode.BranchStride) = (ulong)child;
    }

    private void SplitLeaf(in StreamMemory memory, IdNode* parent, int index, int kept)
    {
        var left = IdNode.ChildAt(parent, index);
        var right = AllocateNode(memory, FullCapacity);
        IdNode.MoveEnd(left, kept, right, _stride);
        right->Previous = left;
        right->Next = left->Next;
        if (left->Next == null)
        {
            LastLeaf = right;
        }
        else
        {
            left->Next->Previous = right;
        }

        left->Next = right;
        AddChild(parent, index + 1, right, _stride);
    }

    /// <summary>Merges nodes that have become sparse with a neighbour, and removes empty ones, the lowest first.
    /// </summary>
    private void Condense(in StreamMemory memory, in IdPath path)
    {
        for (var level = _depth - 1; level >= 0; level--)
        {
            var parent = path.BranchAt(level);
            var index = path.IndexAt(level);
            var child = IdNode.ChildAt(parent, index);
            if (child->Count == 0)
            {
                RemoveChild(memory, parent, index, level);
                continue;
            }

            if (child->Count >= child->Capacity / SparseShare)
            {
                break;
            }

            if (parent->Count > 1)
            {
                TryMerge(memory, parent, Math.Max(0, index - 1), level);
            }
        }

        Flatten(memory);
    }

    /// <summary>Takes branches away from the top that have only one child.</summary>
    private void Flatten(in StreamMemory memory)
    {
        while (_depth > 0 && _top->Count == 1)
        {
            var top = _top;
            _top = IdNode.ChildAt(top, 0);
            FreeNode(memory, top, IdNode.BranchStride);
            _depth--;
        }
    }

    private void TryMerge(in StreamMemory memory, IdNode* parent, int first, int level)
    {
        var left = IdNode.ChildAt(parent, first);
        var right = IdNode.ChildAt(parent, first + 1);
        if (left->Count + right->Count > left->Capacity * MergedEighths / 8)
        {
            return;
        }

        var stride = level == _depth - 1 ? _stride : IdNode.BranchStride;
        if (level < _depth - 1)
        {
            // The first child of a branch may have ids below what the branch says.
            *IdNode.At(right, 0, stride) = *IdNode.At(parent, first + 1, IdNode.BranchStride);
        }

        IdNode.MoveEnd(right, 0, left, stride);
        RemoveChild(memory, parent, first + 1, level);
    }

    private void RemoveChild(in StreamMemory memory, IdNode* parent, int index, int level)
    {
        var child = IdNode.ChildAt(parent, index);
        var isLeaf = level == _depth - 1;
        if (isLeaf)
        {
            Unlink(child);
        }

        FreeNode(memory, child, isLeaf ? _stride : IdNode.BranchStride);
        IdNode.Shift(parent, index + 1, -1, IdNode.BranchStride);
    }

    private void Unlink(IdNode* leaf)
    {
        if (leaf->Previous != null)
        {
            leaf->Previous->Next = leaf->Next;
        }

        if (leaf->Next == null)
        {
            LastLeaf = leaf->Previous;
        }
        else
        {
            leaf->Next->Previous = leaf->Previous;
        }
    }
}
