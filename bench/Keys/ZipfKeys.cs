namespace Strata.Bench.Keys;

/// <summary>Keys by Zipf's law, the popular ones scattered over the whole key space.</summary>
internal sealed class ZipfKeys(long keys, double theta, ulong seed) : IKeySource
{
    private readonly ZipfSampler _sampler = new(keys, theta);
    private readonly KeyScrambler _scrambler = new(keys);
    private SplitMix64 _random = new(seed);

    public bool TryNext(out long key)
    {
        key = _scrambler.KeyOf(_sampler.Next(ref _random) - 1);
        return true;
    }
}
