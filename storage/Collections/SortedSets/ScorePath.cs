using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>The way from the top of a <see cref="ScoreTree"/> to a place in a leaf.</summary>
internal unsafe struct ScorePath
{
    /// <summary>Branches on the longest way: were every one of them as empty as it may be, more elements than there are
    /// addresses would lie below.</summary>
    public const int MaxDepth = 24;

    private BranchArray _branches;
    private IndexArray _indices;

    /// <summary>The leaf.</summary>
    public ScoreLeaf* Leaf;

    /// <summary>The place in it; behind its last element it equals the leaf's count.</summary>
    public int Index;

    /// <summary>Elements of the tree before that place.</summary>
    public long Rank;

    /// <summary>The branch of a level, the top being level 0.</summary>
    public readonly ScoreBranch* BranchAt(int level) => (ScoreBranch*)_branches[level];

    /// <summary>The child that the way takes on a level.</summary>
    public readonly int IndexAt(int level) => _indices[level];

    /// <summary>Notes a step.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(int level, ScoreBranch* branch, int index)
    {
        _branches[level] = (nint)branch;
        _indices[level] = index;
    }

    [InlineArray(MaxDepth)]
    private struct BranchArray
    {
        private nint _first;
    }

    [InlineArray(MaxDepth)]
    private struct IndexArray
    {
        private int _first;
    }
}
