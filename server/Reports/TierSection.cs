using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO tier: the data that is on disk because it does not fit into memory; counters since the start.
/// </summary>
internal static class TierSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Tier");
        if (source.Server.Shards.Tier is not { } tier)
        {
            text.Field("tier_enabled", 0);
            return;
        }

        text.Field("tier_enabled", 1);
        text.Field("tier_last_write_status", tier.Failure == 0 ? "ok" : "err");
        foreach (var metric in TierMetrics.All.Where(metric => metric.InfoField != null))
        {
            text.Field(metric, source);
        }

        var (reads, writes) = (DiskTimes.ReadsOf(source), DiskTimes.WritesOf(source));
        text.Field("tier_read_requests", reads.Count);
        text.Field("tier_read_usec", reads.Microseconds);
        text.Field("tier_write_requests", writes.Count);
        text.Field("tier_write_usec", writes.Microseconds);
    }
}
