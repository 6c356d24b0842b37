namespace Strata.Storage.Collections.SortedSets;

/// <summary>An element of a sorted set; valid until the set changes.</summary>
public readonly unsafe struct SortedSetElement
{
    private readonly byte* _block;

    /// <summary>The element that a set's table, or <see cref="SortedSetReader.TryNextPacked"/>, names by its address.
    /// </summary>
    public SortedSetElement(nint address)
    {
        _block = (byte*)address;
    }

    internal SortedSetElement(byte* block)
    {
        _block = block;
    }

    public double Score => ScoredElement.ScoreOf(_block);

    public ReadOnlySpan<byte> Member => ScoredElement.MemberOf(_block);
}
