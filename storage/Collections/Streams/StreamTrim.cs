namespace Strata.Storage.Collections.Streams;

/// <summary>Which entries of a stream go, the first ones first.</summary>
public readonly struct StreamTrim
{
    private readonly bool _isByLength;
    private readonly long _length;
    private readonly StreamId _least;

    private StreamTrim(bool isByLength, long length, StreamId least)
    {
        _isByLength = isByLength;
        _length = length;
        _least = least;
    }

    /// <summary>Whether only whole nodes go.</summary>
    public bool IsApproximate { get; init; }

    /// <summary>Entries that go at most, where a node goes as a whole or not at all; 0 for any number.</summary>
    public long Limit { get; init; }

    /// <summary>The first entries go until there are no more than some.</summary>
    /// <param name="length">How many stay.</param>
    public static StreamTrim ToLength(long length) => new(isByLength: true, length, default);

    /// <summary>The entries below an id go.</summary>
    /// <param name="least">The lowest id that stays.</param>
    public static StreamTrim ToId(StreamId least) => new(isByLength: false, 0, least);

    /// <summary>Whether there is nothing to do in a stream of so many.</summary>
    internal bool IsDone(long count) => _isByLength && count <= _length;

    /// <summary>Whether the first block goes as a whole.</summary>
    internal unsafe bool TakesAll(StreamBlock* block, long count)
        => _isByLength ? count - block->Count >= _length
            : (IsApproximate ? block->LastId : StreamBlock.LastPresentId(block)) < _least;

    /// <summary>Counts the entries of the first block that go, which are not all.</summary>
    /// <param name="block">The block.</param>
    /// <param name="count">Entries of the stream.</param>
    /// <param name="bytes">Their bytes.</param>
    internal unsafe int CountIn(StreamBlock* block, long count, out int bytes)
    {
        var entry = StreamBlock.Start(block);
        var entries = 0;
        while (_isByLength ? count - entries > _length : StreamBlock.IdAt(block, entry) < _least)
        {
            entry += StreamEntry.SizeAt(block, entry);
            entries++;
        }

        bytes = (int)(entry - StreamBlock.Start(block));
        return entries;
    }
}
