namespace Strata.Server.Commands.Sets;

/// <summary>Members are counted, up to a limit.</summary>
internal ref struct CountSink : ISetSink
{
    private readonly long _limit;

    /// <param name="limit">The most that is counted; 0 for no limit.</param>
    public CountSink(long limit)
    {
        _limit = limit == 0 ? long.MaxValue : limit;
    }

    /// <summary>Members taken.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    public bool Take(ReadOnlySpan<byte> member) => ++Count < _limit;
}
