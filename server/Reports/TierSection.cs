using Strata.Storage.Tiering;

namespace Strata.Server.Reports;

/// <summary>INFO tier: the data that is on disk because it does not fit into memory; counters since the start.
/// </summary>
internal static class TierSection
{
    public static void Write(InfoText text, InfoSource source)
    {
        text.Section("Tier");
        if (source.Server.Shards.Tier is not { } tier)
        {
            text.Field("tier_enabled", 0);
            return;
        }

        var overview = TierOverview.Of(tier);
        text.Field("tier_enabled", 1);
        text.Field("tier_last_write_status", tier.Failure == 0 ? "ok" : "err");
        text.Field("tier_last_write_errno", tier.Failure);
        text.Field("tier_failed_writes", tier.FailedWrites);
        text.Field("tier_cold_pages", overview.ColdPages);
        text.Field("tier_clean_bytes", overview.CleanBytes);
        text.Field("tier_writing_bytes", overview.WritingBytes);
        text.Field("tier_segments", overview.Segments);
        text.Field("tier_segment_bytes", 1L << tier.SegmentBits);
        text.Field("tier_used_bytes", overview.DeviceUsedBytes);
        text.Field("tier_live_bytes", overview.DeviceLiveBytes);
        text.Field("tier_held_bytes", overview.DeviceHeldBytes);
        text.Field("tier_written_pages", overview.WrittenPages);
        text.Field("tier_written_bytes", overview.WrittenBytes);
        text.Field("tier_swept_pages", overview.SweptPages);
        text.Field("tier_reads", overview.Reads);
        text.Field("tier_second_reads", overview.SecondReads);
        text.Field("tier_failed_reads", overview.FailedReads);
        text.Field("tier_damaged_records", overview.DamagedRecords);
        text.Field("tier_copied_records", overview.CopiedRecords);
        text.Field("tier_frozen_collections", overview.FrozenCollections);
        text.Field("tier_thawed_collections", overview.ThawedCollections);
        text.Field("tier_requests_in_flight", overview.InFlight);
    }
}
