namespace Strata.Bench.Load;

/// <summary>What the requests of a load ask for.</summary>
public enum LoadOperation
{
    Get,
    Set,
    Incr,
    Mget,
    Del,
    Mix,
}
