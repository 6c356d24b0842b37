using System.Globalization;
using Strata.Server.Clients;
using Strata.Storage.Sharding;

namespace Strata.Server.Metrics;

/// <summary>How the work is spread over workers and shards.</summary>
internal static class WorkMetrics
{
    /// <summary>All of them.</summary>
    public static readonly Metric[] All =
    [
        OfWorkers(
            "worker_clients", MetricKind.Gauge, "Clients of each worker.", worker => worker.ConnectionCount),
        OfWorkers(
            "worker_commands", MetricKind.Counter, "Commands that each worker has executed.",
            worker => worker.Statistics.Commands),
        OfWorkers(
            "worker_turns", MetricKind.Counter, "Turns of each worker's loop.", worker => worker.Worker.Turns),
        OfWorkers(
            "worker_inbox_items", MetricKind.Counter, "What other threads have left for each worker to do.",
            worker => worker.Worker.InboxItems),
        OfWorkers(
            "worker_cpu_user_seconds", MetricKind.Counter, "CPU that each worker has used for itself.",
            worker => worker.Usage.User.TotalSeconds),
        OfWorkers(
            "worker_cpu_system_seconds", MetricKind.Counter, "CPU that the kernel has used for each worker.",
            worker => worker.Usage.System.TotalSeconds),
        OfShards("shard_keys", MetricKind.Gauge, "Keys of each shard.", shard => shard.Index.Count),
        OfShards("shard_pages", MetricKind.Gauge, "Pages of each shard.", shard => shard.Log.PageCount),
        OfShards(
            "shard_page_bytes", MetricKind.Gauge, "Memory of each shard's pages.", shard => shard.Log.PageMemoryBytes),
        OfShards(
            "shard_page_size_bytes", MetricKind.Gauge, "Bytes of the ordinary pages that each shard opens now.",
            shard => shard.Log.PageBytes),
        OfShards(
            "shard_live_bytes", MetricKind.Gauge, "Live records in each shard's pages that are in memory alone.",
            shard => shard.Log.LiveBytes),
        OfShards(
            "shard_retired_bytes", MetricKind.Gauge, "Emptied pages that wait for the last reader to move on.",
            shard => shard.Log.RetiredBytes),
        OfShards(
            "shard_garbage_bytes", MetricKind.Gauge, "Dead records and slack in them.",
            shard => shard.Log.GarbageBytes),
        OfShards(
            "shard_appended_bytes", MetricKind.Counter, "Bytes appended to each shard's log.",
            shard => shard.Log.AppendedBytes),
        OfShards(
            "shard_compacted_bytes", MetricKind.Counter, "Live bytes that compaction has moved in each shard.",
            shard => shard.Statistics.CompactedBytes),
        OfShards(
            "shard_lease_contentions", MetricKind.Counter, "How often a worker found each shard's lease taken.",
            shard => shard.Lease.Contentions),
    ];

    private static Metric OfWorkers(string name, MetricKind kind, string help, Func<ClientWorker, double> value)
        => Metric.Several(name, kind, help, (source, series) =>
        {
            foreach (var worker in source.Services.Workers)
            {
                series.Add(value(worker), "worker", worker.Number.ToString(CultureInfo.InvariantCulture));
            }
        });

    private static Metric OfShards(string name, MetricKind kind, string help, Func<Shard, double> value)
        => Metric.Several(name, kind, help, (source, series) =>
        {
            foreach (var shard in source.Server.Shards.All)
            {
                series.Add(value(shard), "shard", shard.Number.ToString(CultureInfo.InvariantCulture));
            }
        });
}
