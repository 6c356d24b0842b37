using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>The way from the top of an <see cref="IdTree"/> to a place in a leaf.</summary>
internal unsafe struct IdPath
{
    /// <summary>Branches on the longest way.</summary>
    public const int MaxDepth = 24;

    private BranchArray _branches;
    private IndexArray _indices;

    /// <summary>The leaf.</summary>
    public IdNode* Leaf;

    /// <summary>The place in it; behind its last entry it equals the leaf's count.</summary>
    public int Index;

    /// <summary>The branch of a level, the top being level 0.</summary>
    public readonly IdNode* BranchAt(int level) => (IdNode*)_branches[level];

    /// <summary>The child that the way takes on a level.</summary>
    public readonly int IndexAt(int level) => _indices[level];

    /// <summary>Notes a step.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(int level, IdNode* branch, int index)
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
