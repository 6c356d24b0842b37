namespace Strata.Bench.Keys;

/// <summary>Popular keys, and between them such as are asked for once and never again, numbered from
/// <paramref name="first"/>.</summary>
/// <param name="popular">The others.</param>
/// <param name="first">The first key that is asked for once.</param>
/// <param name="share">Which part of the reads is of those, as chance has it.</param>
/// <param name="seed">Of that chance.</param>
internal sealed class OneHitMixedKeys(IKeySource popular, long first, double share, ulong seed) : IKeySource
{
    private SplitMix64 _random = new(seed);
    private long _next = first;

    public bool TryNext(out long key)
    {
        if (_random.NextDouble() >= share)
        {
            return popular.TryNext(out key);
        }

        key = _next++;
        return true;
    }
}
