using Strata.Bench.Keys;

namespace Strata.Bench.Kv;

/// <summary>Draws what operations do, by their shares.</summary>
internal readonly struct KvMix
{
    private readonly int _upsertsFrom;
    private readonly int _rmwsFrom;
    private readonly int _deletesFrom;

    /// <summary>Shares in percent; what they leave of 100 is deletes.</summary>
    public KvMix(int read, int upsert, int rmw)
    {
        _upsertsFrom = read;
        _rmwsFrom = read + upsert;
        _deletesFrom = read + upsert + rmw;
    }

    /// <summary>The mix that writes alone.</summary>
    public static KvMix Upserts => new(read: 0, upsert: 100, rmw: 0);

    public KvVerb Next(ref SplitMix64 random)
    {
        var drawn = random.NextBelow(100);
        return drawn < _upsertsFrom ? KvVerb.Read
            : drawn < _rmwsFrom ? KvVerb.Upsert
            : drawn < _deletesFrom ? KvVerb.Rmw
            : KvVerb.Delete;
    }
}
