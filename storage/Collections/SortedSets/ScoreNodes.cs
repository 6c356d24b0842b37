using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>What concerns one node of a <see cref="ScoreTree"/>, or two neighbours and the branch above them.</summary>
internal static unsafe class ScoreNodes
{
    /// <summary>How many of a node's entries lie before a bound.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int CountBefore<TBound>(TBound bound, double* scores, ulong* blocks, int count)
        where TBound : struct, IScoreBound, allows ref struct
    {
        var low = 0;
        while (count > 0)
        {
            var half = count >> 1;
            if (bound.IsAbove(scores[low + half], (byte*)blocks[low + half]))
            {
                low += half + 1;
                count -= half + 1;
            }
            else
            {
                count = half;
            }
        }

        return low;
    }

    /// <summary>Moves a node's entries, but for those kept, to a new node behind it.</summary>
    public static void Split<TNode>(ScoreBranch* parent, int index, int kept, TNode* right)
        where TNode : unmanaged, IScoreNode<TNode>
    {
        var left = (TNode*)parent->ChildAt(index);
        right->Count = left->Count - kept;
        right->CopyFrom(left, kept, 0, right->Count);
        left->Count = kept;
        parent->Shift(index + 1, 1);
        parent->Children[index + 1] = (ulong)right;
        Note<TNode>(parent, index);
        Note<TNode>(parent, index + 1);
    }

    /// <summary>Evens out two neighbouring nodes, children of a branch.</summary>
    public static void Even<TNode>(ScoreBranch* parent, int first)
        where TNode : unmanaged, IScoreNode<TNode>
    {
        var left = (TNode*)parent->ChildAt(first);
        var right = (TNode*)parent->ChildAt(first + 1);
        var moved = ((left->Count + right->Count) / 2) - left->Count;
        if (moved > 0)
        {
            left->CopyFrom(right, 0, left->Count, moved);
            right->Shift(moved, -moved);
        }
        else
        {
            right->Shift(0, -moved);
            right->CopyFrom(left, left->Count + moved, 0, -moved);
        }

        left->Count += moved;
        Note<TNode>(parent, first);
        Note<TNode>(parent, first + 1);
    }

    /// <summary>Moves all entries of a node to its left neighbour, and takes it out of the branch.</summary>
    /// <returns>The node, which is to be freed.</returns>
    public static TNode* Merge<TNode>(ScoreBranch* parent, int first)
        where TNode : unmanaged, IScoreNode<TNode>
    {
        var left = (TNode*)parent->ChildAt(first);
        var right = (TNode*)parent->ChildAt(first + 1);
        left->CopyFrom(right, 0, left->Count, right->Count);
        left->Count += right->Count;
        parent->Shift(first + 2, -1);
        Note<TNode>(parent, first);
        return right;
    }

    /// <summary>Puts a leaf into the chain of leaves, behind another.</summary>
    public static void Link(ScoreLeaf* left, ScoreLeaf* leaf)
    {
        leaf->Previous = left;
        leaf->Next = left->Next;
        left->Next = leaf;
        if (leaf->Next != null)
        {
            leaf->Next->Previous = leaf;
        }
    }

    /// <summary>Takes a leaf that has one before it out of the chain of leaves.</summary>
    public static void Unlink(ScoreLeaf* leaf)
    {
        leaf->Previous->Next = leaf->Next;
        if (leaf->Next != null)
        {
            leaf->Next->Previous = leaf->Previous;
        }
    }

    /// <summary>Notes in a branch what a node below it has become.</summary>
    private static void Note<TNode>(ScoreBranch* parent, int index)
        where TNode : unmanaged, IScoreNode<TNode>
    {
        var node = (TNode*)parent->ChildAt(index);
        parent->Counts[index] = node->Elements;
        parent->Scores[index] = node->FirstScore;
        parent->Blocks[index] = node->FirstBlock;
    }
}
