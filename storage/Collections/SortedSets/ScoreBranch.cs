namespace Strata.Storage.Collections.SortedSets;

/// <summary>An inner node of a <see cref="ScoreTree"/>: for each child its first element, and how many elements are
/// below it.</summary>
internal unsafe struct ScoreBranch : IScoreNode<ScoreBranch>
{
    /// <summary>Children a branch has room for; it takes a block of the size of a leaf's.</summary>
    public const int Capacity = 29;

    /// <inheritdoc/>
    public int Count { readonly get; set; }

    public fixed double Scores[Capacity];
    public fixed ulong Blocks[Capacity];
    public fixed ulong Children[Capacity];
    public fixed long Counts[Capacity];

    /// <inheritdoc/>
    public readonly long Elements
    {
        get
        {
            var elements = 0L;
            for (var i = 0; i < Count; i++)
            {
                elements += Counts[i];
            }

            return elements;
        }
    }

    /// <inheritdoc/>
    public readonly double FirstScore => Scores[0];

    /// <inheritdoc/>
    public readonly ulong FirstBlock => Blocks[0];

    /// <summary>A child: a branch, or on the lowest level a leaf.</summary>
    public void* ChildAt(int index) => (void*)Children[index];

    /// <inheritdoc/>
    public void Shift(int index, int by)
    {
        fixed (ScoreBranch* self = &this)
        {
            Move(self, index, self, index + by, Count - index);
        }

        Count += by;
    }

    /// <inheritdoc/>
    public void CopyFrom(ScoreBranch* source, int sourceIndex, int index, int count)
    {
        fixed (ScoreBranch* self = &this)
        {
            Move(source, sourceIndex, self, index, count);
        }
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
