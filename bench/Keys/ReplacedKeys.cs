namespace Strata.Bench.Keys;

/// <summary>Keys by Zipf's law, all of which others take the place of after every so many reads.</summary>
/// <param name="keys">Different keys at a time.</param>
/// <param name="theta">Skew.</param>
/// <param name="seed">Of what is drawn.</param>
/// <param name="readsPerSet">Reads after which all are others.</param>
internal sealed class ReplacedKeys(long keys, double theta, ulong seed, long readsPerSet) : IKeySource
{
    private readonly ZipfKeys _popular = new(keys, theta, seed);
    private long _reads;

    public bool TryNext(out long key)
    {
        var set = _reads++ / readsPerSet;
        var isThere = _popular.TryNext(out key);
        key += set * keys;
        return isThere;
    }
}
