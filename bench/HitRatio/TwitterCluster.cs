namespace Strata.Bench.HitRatio;

/// <summary>
/// What was published of the traffic of one of Twitter's cache clusters: means of a week of March 2020. Source: J.
/// Yang, Y. Yue, K. V. Rashmi, "A large scale analysis of hundreds of in-memory cache clusters at Twitter", OSDI '20,
/// and the statistics beside its traces (github.com/twitter/cache-trace, stat/2020Mar.md).
/// </summary>
/// <param name="KeyBytes">Bytes of a key.</param>
/// <param name="ValueBytes">Bytes of a value.</param>
/// <param name="ZipfTheta">Skew of the keys that are asked for more than once.</param>
/// <param name="ReadsPerKey">How often a key was asked for.</param>
/// <param name="OneHitShare">The part of the keys that were asked for once.</param>
/// <param name="ReadsPerSecond">How fast the requests came.</param>
/// <param name="TimesToLive">In which parts of the keys, in seconds; none where days passed before anything expired.
/// </param>
internal sealed record TwitterCluster(
    int KeyBytes,
    int ValueBytes,
    double ZipfTheta,
    double ReadsPerKey,
    double OneHitShare,
    double ReadsPerSecond,
    IReadOnlyList<(double Share, double Seconds)> TimesToLive)
{
    /// <summary>Whether keys expire.</summary>
    public bool HasExpiries => TimesToLive.Count > 0;

    /// <summary>The part of the reads that is of keys which are asked for once.</summary>
    public double OneHitReadShare => OneHitShare / ReadsPerKey;

    /// <summary>The cluster whose traffic a kind is; null where it is none's.</summary>
    public static TwitterCluster? Of(TrafficKind traffic) => traffic switch
    {
        TrafficKind.Cluster4 => new(67, 2439, 1.1004, 26.5, 0.2933, 5260,
            [(0.39, 60), (0.24, 300), (0.13, 3600), (0.12, 600), (0.09, 14_400), (0.03, 86_400)]),
        TrafficKind.Cluster24 => new(32, 699, 1.3726, 134.8, 0.0565, 5290, []),
        TrafficKind.Cluster29 => new(36, 799, 1.2323, 22.5, 0.2304, 10_730, [(0.67, 3600), (0.33, 7200)]),
        TrafficKind.Cluster45 => new(10, 120, 0.6372, 2.9, 0.4874, 330, []),
        TrafficKind.Cluster52 => new(20, 273, 1.2117, 32.6, 0.1936, 24_250, []),
        _ => null,
    };

    /// <summary>How many reads of all keys come before a key expires; null for never.</summary>
    public double? ReadsToLive(double part)
    {
        foreach (var (share, seconds) in TimesToLive)
        {
            if (part < share)
            {
                return seconds * ReadsPerSecond;
            }

            part -= share;
        }

        return null;
    }
}
