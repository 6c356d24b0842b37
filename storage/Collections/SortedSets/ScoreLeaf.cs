namespace Strata.Storage.Collections.SortedSets;

/// <summary>A leaf of a <see cref="ScoreTree"/>: scores and element blocks side by side, in order, and its neighbours.
/// </summary>
internal unsafe struct ScoreLeaf : IScoreNode<ScoreLeaf>
{
    /// <summary>Elements a leaf has room for: the largest number with which 34 leaves fill a slab.</summary>
    public const int Capacity = 58;

    public ScoreLeaf* Previous;
    public ScoreLeaf* Next;

    /// <inheritdoc/>
    public int Count { readonly get; set; }

    public fixed double Scores[Capacity];
    public fixed ulong Blocks[Capacity];

    /// <inheritdoc/>
    public readonly long Elements => Count;

    /// <inheritdoc/>
    public readonly double FirstScore => Scores[0];

    /// <inheritdoc/>
    public readonly ulong FirstBlock => Blocks[0];

    /// <summary>The block of an element.</summary>
    public byte* BlockAt(int index) => (byte*)Blocks[index];

    /// <inheritdoc/>
    public void Shift(int index, int by)
    {
        fixed (double* scores = Scores)
        fixed (ulong* blocks = Blocks)
        {
            var moved = (Count - index) * sizeof(double);
            Buffer.MemoryCopy(scores + index, scores + index + by, moved, moved);
            Buffer.MemoryCopy(blocks + index, blocks + index + by, moved, moved);
        }

        Count += by;
    }

    /// <inheritdoc/>
    public void CopyFrom(ScoreLeaf* source, int sourceIndex, int index, int count)
    {
        fixed (double* scores = Scores)
        fixed (ulong* blocks = Blocks)
        {
            var bytes = count * sizeof(double);
            Buffer.MemoryCopy(source->Scores + sourceIndex, scores + index, bytes, bytes);
            Buffer.MemoryCopy(source->Blocks + sourceIndex, blocks + index, bytes, bytes);
        }
    }

    /// <summary>Moves the element at <paramref name="from"/> to <paramref name="to"/>, those between by one.</summary>
    public void Rotate(int from, int to, double score)
    {
        fixed (double* scores = Scores)
        fixed (ulong* blocks = Blocks)
        {
            var block = blocks[from];
            var (start, target) = from < to ? (from + 1, from) : (to, to + 1);
            var bytes = Math.Abs(to - from) * sizeof(double);
            Buffer.MemoryCopy(scores + start, scores + target, bytes, bytes);
            Buffer.MemoryCopy(blocks + start, blocks + target, bytes, bytes);
            scores[to] = score;
            blocks[to] = block;
        }
    }
}
