namespace Strata.Server.Options;

/// <summary>
/// What goes when the memory limit is reached; the members are named after the words of <c>maxmemory-policy</c>.
/// </summary>
public enum MaxMemoryPolicy
{
    VolatileLru,
    VolatileLfu,
    VolatileRandom,
    VolatileTtl,
    AllKeysLru,
    AllKeysLfu,
    AllKeysRandom,
    NoEviction,
}
