using System.Globalization;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO shards: a line for every shard; counters since the start.</summary>
internal static class ShardsSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Shards");
        foreach (var shard in source.Server.Shards.All)
        {
            var log = shard.Log;
            text.Field($"shard{shard.Number}", string.Create(CultureInfo.InvariantCulture,
                $"home_worker={shard.Number % source.Server.WorkerCount},keys={shard.Index.Count},"
                + $"index_bytes={shard.Index.SizeBytes},buckets={shard.Index.BucketCount},"
                + $"overflow_buckets={shard.Index.OverflowBucketCount},pages={log.PageCount},"
                + $"page_bytes={log.PageMemoryBytes},page_size_bytes={log.PageBytes},"
                + $"live_bytes={log.LiveBytes},garbage_bytes={log.GarbageBytes},"
                + $"retired_bytes={log.RetiredBytes},appended_bytes={log.AppendedBytes},"
                + $"compacted_pages={shard.Statistics.CompactedPages},"
                + $"compacted_bytes={shard.Statistics.CompactedBytes},expired_keys={shard.Statistics.ExpiredKeys},"
                + $"evicted_keys={shard.Statistics.EvictedKeys},lease_contentions={shard.Lease.Contentions}"));
        }
    }
}
