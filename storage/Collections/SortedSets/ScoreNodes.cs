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

    /// <summary>Moves a leaf's elements, but for those kept, to a new leaf behind it.</summary>
    public static void SplitLeaf(ScoreBranch* parent, int index, int kept, ScoreLeaf* right)
    {
        var left = (ScoreLeaf*)parent->ChildAt(index);
        right->Count = left->Count - kept;
        right->CopyFrom(left, kept, 0, right->Count);
        left->Count = kept;
        right->Previous = left;
        right->Next = left->Next;
        left->Next = right;
        if (right->Next != null)
        {
            right->Next->Previous = right;
        }

        parent->Shift(index + 1, 1);
        parent->Children[index + 1] = (ulong)right;
        NoteLeaf(parent, index);
        NoteLeaf(parent, index + 1);
    }

    /// <summary>Moves a branch's children, but for those kept, to a new branch behind it.</summary>
    public static void SplitBranch(ScoreBranch* parent, int index, int kept, ScoreBranch* right)
    {
        var left = (ScoreBranch*)parent->ChildAt(index);
        right->Count = left->Count - kept;
        right->CopyFrom(left, kept, 0, right->Count);
        left->Count = kept;
        parent->Shift(index + 1, 1);
        parent->Children[index + 1] = (ulong)right;
        NoteBranch(parent, index);
        NoteBranch(parent, index + 1);
    }

    /// <summary>Evens out two neighbouring leaves, children of a branch.</summary>
    public static void EvenLeaves(ScoreBranch* parent, int first)
    {
        var left = (ScoreLeaf*)parent->ChildAt(first);
        var right = (ScoreLeaf*)parent->ChildAt(first + 1);
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
        NoteLeaf(parent, first);
        NoteLeaf(parent, first + 1);
    }

    /// <summary>Evens out two neighbouring branches, children of a branch.</summary>
    public static void EvenBranches(ScoreBranch* parent, int first)
    {
        var left = (ScoreBranch*)parent->ChildAt(first);
        var right = (ScoreBranch*)parent->ChildAt(first + 1);
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
        NoteBranch(parent, first);
        NoteBranch(parent, first + 1);
    }

    /// <summary>Notes in a branch what a leaf below it has become.</summary>
    public static void NoteLeaf(ScoreBranch* parent, int index)
    {
        var leaf = (ScoreLeaf*)parent->ChildAt(index);
        parent->Counts[index] = leaf->Count;
        parent->Scores[index] = leaf->Scores[0];
        parent->Blocks[index] = leaf->Blocks[0];
    }

    /// <summary>Notes in a branch what a branch below it has become.</summary>
    public static void NoteBranch(ScoreBranch* parent, int index)
    {
        var branch = (ScoreBranch*)parent->ChildAt(index);
        parent->Counts[index] = branch->ElementsFrom(0);
        parent->Scores[index] = branch->Scores[0];
        parent->Blocks[index] = branch->Blocks[0];
    }
}
