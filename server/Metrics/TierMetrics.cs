using Strata.Storage.Tiering;

namespace Strata.Server.Metrics;

/// <summary>The data that is on disk because it does not fit into memory. Not there where all stays in memory.
/// </summary>
internal static class TierMetrics
{
    public static readonly Metric FailedWrites = Metric.Counter(
        "tier_failed_writes", "Writes of pages that failed.",
        source => source.Server.Shards.Tier!.FailedWrites,
        "tier_failed_writes");

    public static readonly Metric Failing = Metric.Gauge(
        "tier_last_write_errno", "The errno of the last write if it failed, else 0.",
        source => source.Memory.TierFailure,
        "tier_last_write_errno");

    /// <summary>All of them, in the order of INFO tier.</summary>
    public static readonly Metric[] All =
    [
        Failing,
        FailedWrites,
        Gauge("tier_cold_pages", "Pages that are on the device alone.", tier => tier.ColdPages),
        Gauge("tier_clean_bytes", "Memory of pages that are on the device, too.", tier => tier.CleanBytes),
        Gauge("tier_writing_bytes", "Memory of pages that are being written.", tier => tier.WritingBytes),
        Gauge("tier_segments", "Segments that hold pages.", tier => tier.Segments),
        Metric.Gauge(
            "tier_segment_bytes", "Bytes of a segment.",
            source => 1L << source.Server.Shards.Tier!.SegmentBits,
            "tier_segment_bytes"),
        Gauge("tier_used_bytes", "Bytes of the device given to pages.", tier => tier.DeviceUsedBytes),
        Gauge("tier_live_bytes", "Bytes of live records among them.", tier => tier.DeviceLiveBytes),
        Gauge(
            "tier_held_bytes",
            "Bytes of segments without pages that stay because a base of the journal names them.",
            tier => tier.DeviceHeldBytes),
        Counter("tier_written_pages", "Pages written.", tier => tier.WrittenPages),
        Counter("tier_written_bytes", "Their bytes.", tier => tier.WrittenBytes),
        Counter("tier_swept_pages", "Pages read back by compaction and expiry.", tier => tier.SweptPages),
        Counter("tier_reads", "Records read.", tier => tier.Reads),
        Counter("tier_second_reads", "Those of them that took a second read.", tier => tier.SecondReads),
        Counter("tier_failed_reads", "Reads that the device failed.", tier => tier.FailedReads),
        Counter("tier_damaged_records", "Records that were not as they had been written.", tier => tier.DamagedRecords),
        Counter(
            "tier_copied_records",
            "Records that were moved back into memory because they were read again.",
            tier => tier.CopiedRecords),
        Counter(
            "tier_frozen_collections",
            "Large collections that were packed to leave memory.",
            tier => tier.FrozenCollections),
        Counter("tier_thawed_collections", "Those that were made large again.", tier => tier.ThawedCollections),
        Gauge("tier_requests_in_flight", "Requests to the device under way.", tier => tier.InFlight),
        Metric.Several(
            "tier_request_duration_seconds", MetricKind.Histogram,
            "Requests to the device by the time from when they were given to it until a worker saw their end.",
            static (source, series) =>
            {
                DiskTimes.ReadsOf(source).Write(series, "operation", "read");
                DiskTimes.WritesOf(source).Write(series, "operation", "write");
            }),
    ];

    private static Metric Gauge(string name, string help, Func<TierOverview, long> value)
        => Metric.Gauge(name, help, source => value(source.Memory.Tier!), name);

    private static Metric Counter(string name, string help, Func<TierOverview, long> value)
        => Metric.Counter(name, help, source => value(source.Memory.Tier!), name);
}
