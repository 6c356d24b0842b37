namespace Strata.Storage.Collections.Streams;

/// <summary>Which entries of a stream go, the first ones first.</summary>
/// <param name="isByLength">Whether their number decides, or their ids.</param>
/// <param name="length">How many stay.</param>
/// <param name="least">The lowest id that stays.</param>
internal readonly struct StreamTrim(bool isByLength, long length, StreamId least)
{
    private readonly bool _isByLength = isByLength;
    private readonly long _length = length;
    private readonly StreamId _least = least;

    /// <summary>Whether only whole blocks go.</summary>
    public bool IsApproximate { get; init; }

    /// <summary>Entries that go at most, where a block goes as a whole or not at all; 0 for any number.</summary>
    public long Limit { get; init; }

    /// <summary>Entries of a block after which no other one is begun.</summary>
    public long Most { get; init; }

    /// <summary>Whether there is nothing to do in a stream of so many.</summary>
    public bool IsDone(long count) => _isByLength && count <= _length;

    /// <summary>Whether the first block goes as a whole.</summary>
    public unsafe bool TakesAll(StreamBlock* block, long count)
        => _isByLength ? count - block->Count >= _length : StreamBlock.LastIdOf(block) < _least;

    /// <summary>Counts the entries of the first block that go, which are not all.</summary>
    /// <param name="block">The block.</param>
    /// <param name="count">Entries of the stream.</param>
    /// <param name="bytes">Their bytes.</param>
    public unsafe int CountIn(StreamBlock* block, long count, out int bytes)
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
