namespace Strata.Storage.Log;

/// <summary>redis.conf's maxmemory-policy.</summary>
public enum EvictionPolicy
{
    /// <summary>Nothing is evicted: commands that need memory are refused.</summary>
    NoEviction,
    AllKeysLru,
    AllKeysLfu,
    AllKeysRandom,
    VolatileLru,
    VolatileLfu,
    VolatileRandom,
    VolatileTtl,
}
