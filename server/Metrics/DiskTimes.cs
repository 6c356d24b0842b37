using Strata.Storage.Devices;

namespace Strata.Server.Metrics;

/// <summary>How long the disks took that a server uses, up to one moment.</summary>
/// <param name="Reads">Reads from the tier's device; null where there is no tier.</param>
/// <param name="Writes">Writes to it; null likewise.</param>
/// <param name="Syncs">Syncs of the journal.</param>
internal sealed record DiskTimes(RequestTimes? Reads, RequestTimes? Writes, RequestTimes Syncs)
{
    /// <summary>Adds up what was counted until now.</summary>
    public static DiskTimes Of(MetricSource source)
        => source.Memory.Tier == null
            ? new(null, null, SyncsOf(source))
            : new(ReadsOf(source), WritesOf(source), SyncsOf(source));

    /// <summary>Reads from the tier's device, which is there.</summary>
    public static RequestTimes ReadsOf(MetricSource source)
        => new(OfWorkers(source).Select(static latencies => latencies.Reads));

    /// <summary>Writes to it.</summary>
    public static RequestTimes WritesOf(MetricSource source)
        => new(OfWorkers(source).Select(static latencies => latencies.Writes));

    /// <summary>Syncs of the journal.</summary>
    public static RequestTimes SyncsOf(MetricSource source) => new([source.Services.JournalFiles.SyncLatency]);

    private static IEnumerable<DeviceLatencies> OfWorkers(MetricSource source)
        => source.Server.Shards.Tier!.Workers.Where(static worker => worker != null)
            .Select(static worker => worker!.Latencies);
}
