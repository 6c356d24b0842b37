namespace Strata.Storage.Collections.SortedSets;

/// <summary>An inner node of a <see cref="ScoreTree"/>: for each child its first element, and how many elements are
/// below it.</summary>
internal unsafe struct ScoreBranch
{
    /// <summary>Children a branch has room for; it takes a block of the size of a leaf's.</summary>
    public const int Capacity = 29;

    public int Count;
    public fixed double Scores[Capacity];
    public fixed ulong Blocks[Capacity];
    public fixed ulong Children[Capacity];
    public fixed long Counts[Capacity];

    /// <summary>A child: a branch, or on the lowest level a leaf.</summary>
    public void* ChildAt(int index) => (void*)Children[index];

    /// <summary>Makes room for children at <paramref name="index"/>, or closes a gap before it when <paramref
    /// name="by"/> is negative.</summary>
    public void Shift(int index, int by)
    {
        fixed (ScoreBranch* self = &this)
        {
            Move(self, index, self, index + by, Count - index);
        }

        Count += by;
    }

    /// <summary>Copies children from another branch; the counts of children stay.</summary>
    public void CopyFrom(ScoreBranch* source, int sourceIndex, int index, int count)
    {
        fixed (ScoreBranch* self = &this)
        {
            Move(source, sourceIndex, self, index, count);
        }
    }

    /// <summary>Elements below the children from <paramref name="index"/> on.</summary>
    public long ElementsFrom(int index)
    {
        var elements = 0L;
        for (var i = index; i < Count; i++)
        {
            elements += Counts[i];
        }

        return elements;
    }

    private static void Move(ScoreBranch* source, int from, ScoreBranch* target, int to, int count)
    {
        var bytes = count * sizeof(ulong);
        Buffer.MemoryCopy(source->Scores + from, target->Scores + to, bytes, bytes);
        Buffer.MemoryCopy(source->Blocks + from, target->Blocks + to, bytes, bytes);
        Buffer.MemoryCopy(source->Children + from, target->Children + to, bytes, bytes);
        Buffer.MemoryCopy(source->Counts + from, target->Counts + to, bytes, bytes);
    }
}
