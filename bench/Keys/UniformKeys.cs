namespace Strata.Bench.Keys;

/// <summary>Every key equally often.</summary>
internal sealed class UniformKeys(long keys, ulong seed) : IKeySource
{
    private SplitMix64 _random = new(seed);

    public bool TryNext(out long key)
    {
        key = _random.NextBelow(keys);
        return true;
    }
}
