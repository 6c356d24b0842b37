using System.Collections.Frozen;

namespace Strata.Server.Metrics;

/// <summary>Every metric of the server: what INFO, Prometheus and OpenTelemetry read.</summary>
internal static class MetricCatalogue
{
    /// <summary>What the names of all metrics begin with.</summary>
    public const string Prefix = "strata_";

    /// <summary>What exporters for Redis put in front of theirs, which usual dashboards ask for.</summary>
    public const string ExporterPrefix = "redis_";

    // Those that oliver006/redis_exporter has under the same names, but for the prefix.
    private static readonly FrozenSet<string> s_ofExporters = FrozenSet.Create(
        StringComparer.Ordinal,
        "connected_clients", "max_clients", "blocked_clients", "tracking_clients", "connections_received",
        "rejected_connections", "commands_processed", "net_input_bytes", "net_output_bytes", "keyspace_hits",
        "keyspace_misses", "expired_keys", "evicted_keys", "db_keys", "db_keys_expiring", "db_avg_ttl_seconds",
        "memory_used_bytes", "memory_used_peak_bytes", "memory_max_bytes", "memory_used_rss_bytes",
        "total_system_memory_bytes", "mem_fragmentation_ratio", "commands", "commands_duration_seconds",
        "commands_rejected_calls", "commands_failed_calls", "errors", "up", "instance_info", "uptime_in_seconds",
        "cpu_user_seconds", "cpu_sys_seconds", "loading_dump_file", "rdb_changes_since_last_save",
        "rdb_last_save_timestamp_seconds", "rdb_last_bgsave_status", "rdb_last_bgsave_duration_sec", "aof_enabled",
        "aof_last_write_status", "aof_current_size_bytes", "aof_base_size_bytes", "aof_rewrite_in_progress",
        "pubsub_channels", "pubsub_patterns");

    /// <summary>The metrics that a server has; those of the tier only where there is one.</summary>
    public static IEnumerable<Metric> Of(MetricSource source)
        => (IEnumerable<Metric>)
        [
            .. ProcessMetrics.All, .. ClientMetrics.All, .. TrafficMetrics.All, .. CommandMetrics.All,
            .. KeyMetrics.All, .. MemoryMetrics.All, .. PersistenceMetrics.All, .. WorkMetrics.All,
            .. source.Memory.Tier == null ? [] : TierMetrics.All,
        ];

    /// <summary>Writes all metrics in a format of Prometheus's, under their own names and those of the exporters.
    /// </summary>
    public static void Write(MetricSource source, MetricsText text)
    {
        foreach (var metric in Of(source))
        {
            text.Write(metric, Prefix + metric.Name, source);
            if (s_ofExporters.Contains(metric.Name))
            {
                text.Write(metric, ExporterPrefix + metric.Name, source);
            }
        }

        text.End();
    }
}
