namespace Strata.Storage.Collections.SortedSets;

/// <summary>A node of a <see cref="ScoreTree"/>: entries in order, of which some lie beside those of its neighbour.
/// </summary>
/// <typeparam name="TSelf">The node's own type.</typeparam>
internal unsafe interface IScoreNode<TSelf>
    where TSelf : unmanaged, IScoreNode<TSelf>
{
    /// <summary>Entries: a leaf's elements, a branch's children.</summary>
    int Count { get; set; }

    /// <summary>Elements in the node or below it.</summary>
    long Elements { get; }

    /// <summary>The score of the first element.</summary>
    double FirstScore { get; }

    /// <summary>The block of the first element.</summary>
    ulong FirstBlock { get; }

    /// <summary>Makes room for entries at <paramref name="index"/>, or closes a gap before it when <paramref
    /// name="by"/> is negative.</summary>
    void Shift(int index, int by);

    /// <summary>Copies entries from another node; the counts of entries stay.</summary>
    void CopyFrom(TSelf* source, int sourceIndex, int index, int count);
}
