using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>
/// The order of a large sorted set: a B+ tree (Bayer and McCreight, 1972; Comer, "The ubiquitous B-tree", 1979) of
/// element blocks by (score, member), whose branches count the elements below each child, so that ranks are found on
/// the way. All its nodes are blocks of one size in a <see cref="SlabHeap"/>; it is itself a part of the set's root.
/// A full leaf gives elements to a neighbour before it is split, so that leaves are some four fifths full whatever the
/// order of insertion, and nearly full when elements come in order. The elements' blocks belong to the caller.
/// </summary>
internal unsafe struct ScoreTree
{
    // A neighbour takes elements from a full leaf if it has room for so many.
    private const int LeastRoom = 4;

    // A node with fewer entries is merged with a neighbour, or evened out with it. A merged one has some room left.
    private const int LeafMinimum = ScoreLeaf.Capacity / 3;
    private const int LeafMerged = ScoreLeaf.Capacity * 7 / 8;
    private const int BranchMinimum = ScoreBranch.Capacity / 3;
    private const int BranchMerged = ScoreBranch.Capacity * 7 / 8;

    private void* _top;
    private int _depth;
    private int _nodes;

    /// <summary>Bytes of a node.</summary>
    public static int NodeBytes => Math.Max(sizeof(ScoreLeaf), sizeof(ScoreBranch));

    /// <summary>Elements.</summary>
    public long Count { get; private set; }

    /// <summary>The leaf of the lowest elements.</summary>
    public ScoreLeaf* First { get; private set; }

    /// <summary>The leaf of the highest elements.</summary>
    public ScoreLeaf* Last { get; private set; }

    /// <summary>Bytes of all nodes, as the heap counts.</summary>
    public readonly long WeightBytes => (long)_nodes * SlabHeap.SizeOf(NodeBytes);

    /// <summary>An empty tree: one leaf.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room.</exception>
    public static ScoreTree Create(SlabHeap heap)
    {
        var leaf = (ScoreLeaf*)heap.Allocate(NodeBytes);
        leaf->Previous = null;
        leaf->Next = null;
        leaf->Count = 0;
        return new ScoreTree { _top = leaf, _nodes = 1, First = leaf, Last = leaf };
    }

    /// <summary>Finds the place that a bound means.</summary>
    public readonly void Find<TBound>(in TBound bound, out ScorePath path)
        where TBound : struct, IScoreBound, allows ref struct
    {
        Unsafe.SkipInit(out path);
        path.Rank = 0;
        var node = _top;
        for (var level = 0; level < _depth; level++)
        {
            var branch = (ScoreBranch*)node;
            var index = Math.Max(0, ScoreNodes.CountBefore(bound, branch->Scores, branch->Blocks, branch->Count) - 1);
            Descend(ref path, level, branch, index);
            node = branch->ChildAt(index);
        }

        path.Leaf = (ScoreLeaf*)node;
        path.Index = ScoreNodes.CountBefore(bound, path.Leaf->Scores, path.Leaf->Blocks, path.Leaf->Count);
        path.Rank += path.Index;
    }

    /// <summary>Elements before a bound.</summary>
    public readonly long RankOf<TBound>(in TBound bound)
        where TBound : struct, IScoreBound, allows ref struct
    {
        Find(bound, out var path);
        return path.Rank;
    }

    /// <summary>Finds the place of an element that is there.</summary>
    public readonly void FindElement(byte* block, out ScorePath path)
    {
        var bound = new ElementBound(ScoredElement.ScoreOf(block), ScoredElement.MemberOf(block), isBehind: true);
        Find(bound, out path);
        path.Index--;
        path.Rank--;
        Invariant.Check(
            path.Index >= 0 && path.Leaf->BlockAt(path.Index) == block, "an element is where its score says");
    }

    /// <summary>Finds the place of the element with a rank: 0 to <see cref="Count"/> - 1.</summary>
    public readonly void FindRank(long rank, out ScorePath path)
    {
        Unsafe.SkipInit(out path);
        path.Rank = 0;
        var node = _top;
        for (var level = 0; level < _depth; level++)
        {
            var branch = (ScoreBranch*)node;
            var index = 0;
            for (var left = rank - path.Rank; left >= branch->Counts[index]; index++)
            {
                left -= branch->Counts[index];
            }

            Descend(ref path, level, branch, index);
            node = branch->ChildAt(index);
        }

        path.Leaf = (ScoreLeaf*)node;
        path.Index = (int)(rank - path.Rank);
        path.Rank = rank;
    }

    /// <summary>Adds an element that is not there.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room; the element was not added.</exception>
    public void Insert(SlabHeap heap, byte* block)
    {
        var score = ScoredElement.ScoreOf(block);
        var bound = new ElementBound(score, ScoredElement.MemberOf(block), isBehind: false);
        Find(bound, out var path);
        while (path.Leaf->Count == ScoreLeaf.Capacity)
        {
            MakeRoom(heap, ref path);
            Find(bound, out path);
        }

        Place(ref path, score, block);
    }

    /// <summary>Adds an element above all others.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room; the element was not added.</exception>
    public void Append(SlabHeap heap, byte* block)
    {
        FindEnd(out var path);
        while (path.Leaf->Count == ScoreLeaf.Capacity)
        {
            MakeRoom(heap, ref path);
            FindEnd(out path);
        }

        Place(ref path, ScoredElement.ScoreOf(block), block);
    }

    /// <summary>Takes the element at a place, which was just found, out.</summary>
    /// <returns>Its block.</returns>
    public byte* RemoveAt(SlabHeap heap, in ScorePath path)
    {
        var leaf = path.Leaf;
        var block = leaf->BlockAt(path.Index);
        leaf->Shift(path.Index + 1, -1);
        AddToCounts(path, -1);
        if (path.Index == 0 && leaf->Count > 0)
        {
            RefreshFirst(path, leaf);
        }

        if (leaf->Count < LeafMinimum && _depth > 0)
        {
            MergeLeaf(heap, path);
        }

        return block;
    }

    /// <summary>Gives an element another score.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room; the element has its old score.</exception>
    public void ChangeScore(SlabHeap heap, byte* block, double score)
    {
        var member = ScoredElement.MemberOf(block);
        FindElement(block, out var path);
        var bound = new ElementBound(score, member, isBehind: false);
        if (TryMoveInLeaf(path, bound, score))
        {
            ScoredElement.SetScore(block, score);
            return;
        }

        // What is added first cannot fail once there is room; the search by the new score never meets the old place.
        Find(bound, out var target);
        while (target.Leaf->Count == ScoreLeaf.Capacity)
        {
            MakeRoom(heap, ref target);
            Find(bound, out target);
        }

        Place(ref target, score, block);
        FindElement(block, out path);
        _ = RemoveAt(heap, path);
        ScoredElement.SetScore(block, score);
    }

    /// <summary>Puts an element's block in the place of another that has the same score and member.</summary>
    public readonly void Exchange(byte* block, byte* other)
    {
        FindElement(block, out var path);
        path.Leaf->Blocks[path.Index] = (ulong)other;
        if (path.Index == 0)
        {
            RefreshFirst(path, path.Leaf);
        }
    }

    /// <summary>Frees the last leaf of a tree that is being given up, until it <see cref="IsGone"/>. The elements are
    /// not looked at.</summary>
    public void FreeLastLeaf(SlabHeap heap)
    {
        FindEnd(out var path);
        FreeNode(heap, path.Leaf);
        var level = _depth - 1;
        for (; level >= 0 && --path.BranchAt(level)->Count == 0; level--)
        {
            FreeNode(heap, path.BranchAt(level));
        }

        if (level < 0)
        {
            _top = null;
        }
    }

    /// <summary>Whether <see cref="FreeLastLeaf"/> has freed everything.</summary>
    public readonly bool IsGone => _top == null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Descend(ref ScorePath path, int level, ScoreBranch* branch, int index)
    {
        path.Set(level, branch, index);
        for (var i = 0; i < index; i++)
        {
            path.Rank += branch->Counts[i];
        }
    }

    private readonly void FindEnd(out ScorePath path)
    {
        Unsafe.SkipInit(out path);
        var node = _top;
        for (var level = 0; level < _depth; level++)
        {
            var branch = (ScoreBranch*)node;
            path.Set(level, branch, branch->Count - 1);
            node = branch->ChildAt(branch->Count - 1);
        }

        path.Leaf = (ScoreLeaf*)node;
        path.Index = path.Leaf->Count;
    }

    private void Place(ref ScorePath path, double score, byte* block)
    {
        var leaf = path.Leaf;
        leaf->Shift(path.Index, 1);
        leaf->Scores[path.Index] = score;
        leaf->Blocks[path.Index] = (ulong)block;
        AddToCounts(path, 1);
        if (path.Index == 0)
        {
            RefreshFirst(path, leaf);
        }
    }

    /// <summary>Moves an element inside its leaf, where it stays between the leaf's outermost other elements or there
    /// are none beyond.</summary>
    private readonly bool TryMoveInLeaf(in ScorePath path, in ElementBound bound, double score)
    {
        var leaf = path.Leaf;
        var last = leaf->Count - 1;
        var place = ScoreNodes.CountBefore(bound, leaf->Scores, leaf->Blocks, leaf->Count);
        place -= place > path.Index ? 1 : 0; // The element itself goes away from before it.
        if ((place == 0 && leaf->Previous != null) || (place == last && leaf->Next != null))
        {
            return false;
        }

        leaf->Rotate(path.Index, place, score);
        if (place == 0 || path.Index == 0)
        {
            RefreshFirst(path, leaf);
        }

        return true;
    }

    private void AddToCounts(in ScorePath path, int change)
    {
        Count += change;
        for (var level = 0; level < _depth; level++)
        {
            path.BranchAt(level)->Counts[path.IndexAt(level)] += change;
        }
    }

    /// <summary>Tells the branches above that a leaf begins with another element.</summary>
    private readonly void RefreshFirst(in ScorePath path, ScoreLeaf* leaf)
    {
        for (var level = _depth - 1; level >= 0; level--)
        {
            var branch = path.BranchAt(level);
            var index = path.IndexAt(level);
            branch->Scores[index] = leaf->Scores[0];
            branch->Blocks[index] = leaf->Blocks[0];
            if (index > 0)
            {
                return;
            }
        }
    }

    private void* AllocateNode(SlabHeap heap)
    {
        var node = heap.Allocate(NodeBytes);
        _nodes++;
        return node;
    }

    private void FreeNode(SlabHeap heap, void* node)
    {
        heap.Free((byte*)node, NodeBytes);
        _nodes--;
    }

    /// <summary>Takes one step towards room in a full leaf; the tree holds the same before and after.</summary>
    private void MakeRoom(SlabHeap heap, ref ScorePath path)
    {
        var isEdge = path.Index == 0 ? path.Leaf == First : path.Index == ScoreLeaf.Capacity && path.Leaf == Last;
        if (_depth > 0 && !isEdge && TryShareWithNeighbour(path))
        {
            return;
        }

        // The lowest level whose branch takes another child; its child on the way is the one to split.
        var level = _depth - 1;
        while (level >= 0 && path.BranchAt(level)->Count == ScoreBranch.Capacity)
        {
            level--;
        }

        if (level < 0)
        {
            AddTop(heap);
            return;
        }

        if (level == _depth - 1)
        {
            // At either end elements probably come in order: what is full stays nearly so.
            var kept = !isEdge ? ScoreLeaf.Capacity / 2 : path.Index == 0 ? 1 : ScoreLeaf.Capacity - 1;
            SplitLeaf(heap, path.BranchAt(level), path.IndexAt(level), kept);
        }
        else
        {
            var below = path.IndexAt(level + 1);
            var kept = !isEdge ? ScoreBranch.Capacity / 2 : below == 0 ? 2 : ScoreBranch.Capacity - 2;
            SplitBranch(heap, path.BranchAt(level), path.IndexAt(level), kept);
        }
    }

    private void AddTop(SlabHeap heap)
    {
        Invariant.Check(_depth < ScorePath.MaxDepth, "a tree is never so deep");
        var top = (ScoreBranch*)AllocateNode(heap);
        top->Count = 1;
        top->Children[0] = (ulong)_top;
        top->Counts[0] = Count;
        top->Scores[0] = First->Scores[0];
        top->Blocks[0] = First->Blocks[0];
        _top = top;
        _depth++;
    }

    private readonly bool TryShareWithNeighbour(in ScorePath path)
    {
        const int Most = ScoreLeaf.Capacity - LeastRoom;
        var parent = path.BranchAt(_depth - 1);
        var index = path.IndexAt(_depth - 1);
        if (index > 0 && ((ScoreLeaf*)parent->ChildAt(index - 1))->Count <= Most)
        {
            ScoreNodes.Even<ScoreLeaf>(parent, index - 1);
            return true;
        }

        if (index + 1 < parent->Count && ((ScoreLeaf*)parent->ChildAt(index + 1))->Count <= Most)
        {
            ScoreNodes.Even<ScoreLeaf>(parent, index);
            return true;
        }

        return false;
    }

    private void SplitLeaf(SlabHeap heap, ScoreBranch* parent, int index, int kept)
    {
        var right = (ScoreLeaf*)AllocateNode(heap);
        ScoreNodes.Link((ScoreLeaf*)parent->ChildAt(index), right);
        ScoreNodes.Split(parent, index, kept, right);
        Last = right->Next == null ? right : Last;
    }

    private void SplitBranch(SlabHeap heap, ScoreBranch* parent, int index, int kept)
        => ScoreNodes.Split(parent, index, kept, (ScoreBranch*)AllocateNode(heap));

    /// <summary>A leaf has few elements left: it takes some of a neighbour's, or becomes one with it.</summary>
    private void MergeLeaf(SlabHeap heap, in ScorePath path)
    {
        var parent = path.BranchAt(_depth - 1);
        var index = path.IndexAt(_depth - 1);
        if (parent->Count == 1)
        {
            return; // Made for a split that found no memory.
        }

        var first = Math.Max(0, index - 1);
        var left = (ScoreLeaf*)parent->ChildAt(first);
        var right = (ScoreLeaf*)parent->ChildAt(first + 1);
        var wasEmpty = left->Count == 0;
        if (left->Count + right->Count > LeafMerged)
        {
            ScoreNodes.Even<ScoreLeaf>(parent, first);
        }
        else
        {
            ScoreNodes.Unlink(right);
            Last = right->Next == null ? left : Last;
            FreeNode(heap, ScoreNodes.Merge<ScoreLeaf>(parent, first));
            MergeBranches(heap, path);
        }

        if (wasEmpty && Count > 0)
        {
            RefreshEdge();
        }
    }

    /// <summary>Does for branches, the lowest first, what <see cref="MergeLeaf"/> does for leaves.</summary>
    private void MergeBranches(SlabHeap heap, in ScorePath path)
    {
        for (var level = _depth - 1; level > 0 && path.BranchAt(level)->Count < BranchMinimum; level--)
        {
            var parent = path.BranchAt(level - 1);
            var index = path.IndexAt(level - 1);
            if (parent->Count == 1)
            {
                break;
            }

            var first = Math.Max(0, index - 1);
            var left = (ScoreBranch*)parent->ChildAt(first);
            var right = (ScoreBranch*)parent->ChildAt(first + 1);
            if (left->Count + right->Count > BranchMerged)
            {
                ScoreNodes.Even<ScoreBranch>(parent, first);
                break;
            }

            FreeNode(heap, ScoreNodes.Merge<ScoreBranch>(parent, first));
        }

        while (_depth > 0 && ((ScoreBranch*)_top)->Count == 1)
        {
            var top = _top;
            _top = ((ScoreBranch*)top)->ChildAt(0);
            FreeNode(heap, top);
            _depth--;
        }
    }

    /// <summary>Tells all branches at the tree's lower edge which element is the first: only a leaf at an edge has so
    /// few elements that its last one may go.</summary>
    private readonly void RefreshEdge()
    {
        var node = _top;
        for (var level = 0; level < _depth; level++)
        {
            var branch = (ScoreBranch*)node;
            branch->Scores[0] = First->Scores[0];
            branch->Blocks[0] = First->Blocks[0];
            node = branch->ChildAt(0);
        }
    }
}
