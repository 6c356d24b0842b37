namespace Strata.Bench.HitRatio;

/// <summary>Which keys the read-through traffic asks for.</summary>
public enum TrafficKind
{
    /// <summary>Zipf's law over all keys.</summary>
    Zipf,

    /// <summary>Zipf's law, broken into by scans over keys that are otherwise not asked for.</summary>
    Scan,

    /// <summary>Twice as many keys as fit, in order, again and again.</summary>
    Loop,

    /// <summary>Zipf's law over keys whose popularity ages.</summary>
    Shift,

    /// <summary>Keys that are popular for a short time.</summary>
    Window,

    /// <summary>Zipf's law over keys all of which are replaced by others from time to time.</summary>
    Replaced,

    /// <summary>As Twitter's cluster 4: values of 2.4 KB, most of which expire soon.</summary>
    Cluster4,

    /// <summary>As Twitter's cluster 24: few keys have nearly all reads.</summary>
    Cluster24,

    /// <summary>As Twitter's cluster 29: many keys that are asked for once.</summary>
    Cluster29,

    /// <summary>As Twitter's cluster 45: small values of little skew, every sixth read of a key that is asked for once.
    /// </summary>
    Cluster45,

    /// <summary>As Twitter's cluster 52: the busiest.</summary>
    Cluster52,
}
