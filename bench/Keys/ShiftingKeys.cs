namespace Strata.Bench.Keys;

/// <summary>
/// Keys by Zipf's law whose popularity ages, as that of posts and news does: after every so many reads a new key
/// becomes the most popular one, and each of the others moves down by a rank; what was the least popular comes up
/// again, as if it were new.
/// </summary>
/// <param name="keys">Different keys.</param>
/// <param name="theta">Skew.</param>
/// <param name="seed">Of what is drawn.</param>
/// <param name="readsPerShift">Reads after which a new key comes.</param>
internal sealed class ShiftingKeys(long keys, double theta, ulong seed, long readsPerShift) : IKeySource
{
    private readonly ZipfSampler _sampler = new(keys, theta);
    private readonly KeyScrambler _scrambler = new(keys);
    private SplitMix64 _random = new(seed);
    private long _reads;

    public bool TryNext(out long key)
    {
        var newest = _reads++ / readsPerShift % keys;
        var rank = _sampler.Next(ref _random) - 1;
        key = _scrambler.KeyOf((newest - rank + keys) % keys);
        return true;
    }
}
