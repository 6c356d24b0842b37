namespace Strata.Bench.Keys;

/// <summary>The first <paramref name="keys"/> keys in order, again and again.</summary>
internal sealed class LoopKeys(long keys) : IKeySource
{
    private long _next;

    public bool TryNext(out long key)
    {
        key = _next;
        _next = _next + 1 == keys ? 0 : _next + 1;
        return true;
    }
}
