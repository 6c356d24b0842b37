namespace Strata.Bench.HitRatio;

/// <summary>Which keys the read-through traffic asks for.</summary>
public enum TrafficKind
{
    /// <summary>Zipf's law over all keys.</summary>
    Zipf,

    /// <summary>Zipf's law, broken into by scans over keys that are otherwise not asked for.</summary>
    Scan,
}
