namespace Strata.Bench.Keys;

/// <summary>
/// Keys that are popular for a short time: each read is of one of the newest keys, all alike, and after so many reads
/// the oldest of these gives way to a new one, and is never asked for again.
/// </summary>
/// <param name="window">How many are popular at a time.</param>
/// <param name="readsPerKey">How often each is read, on average.</param>
/// <param name="seed">Of what is drawn.</param>
internal sealed class WindowKeys(long window, int readsPerKey, ulong seed) : IKeySource
{
    private SplitMix64 _random = new(seed);
    private long _reads;

    public bool TryNext(out long key)
    {
        key = (_reads++ / readsPerKey) + _random.NextBelow(window);
        return true;
    }
}
