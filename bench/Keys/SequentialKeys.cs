namespace Strata.Bench.Keys;

/// <summary>The keys from <c>first</c> up to <c>end</c> (exclusive), each once and in order.</summary>
internal sealed class SequentialKeys(long first, long end) : IKeySource
{
    private long _next = first;

    public bool TryNext(out long key)
    {
        key = _next;
        if (_next >= end)
        {
            return false;
        }

        _next++;
        return true;
    }
}
