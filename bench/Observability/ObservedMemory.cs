using Strata.Server;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Storage.Census;

namespace Strata.Bench.Observability;

/// <summary>What a server takes at its start for the curve, hot keys, prefixes and large keys, as it counts it in
/// maxmemory.</summary>
internal static class ObservedMemory
{
    private const int Shards = 16;

    /// <summary>All of it.</summary>
    public static long BytesFor(int workers)
        => CurveKeeper.BytesFor(workers) + KeyCensus.BytesFor(Shards)
            + (workers * (long)KeyTraffic.BytesFor(TrafficLimits.HotKeysPerWorker(workers)));
}
