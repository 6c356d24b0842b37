using Strata.Server.Versions;
using static Strata.Server.Metrics.Metric;

namespace Strata.Server.Metrics;

/// <summary>The process.</summary>
internal static class ProcessMetrics
{
    public static readonly Metric Up = Gauge("up", "1: the server has answered.", _ => 1);

    public static readonly Metric Instance = Several(
        "instance_info", MetricKind.Gauge, "Which server this is.",
        (source, series) => series.Add(
            1,
            "role", "master",
            "redis_version", RedisCompatibility.Version,
            "redis_mode", "standalone",
            "strata_version", ProductVersion.Text,
            "run_id", source.Services.Diagnostics.RunId));

    public static readonly Metric UptimeSeconds = Gauge(
        "uptime_in_seconds", "Seconds since the start.",
        source => (source.Services.Diagnostics.Clock.GetUtcNow() - source.Services.Diagnostics.StartedAt).TotalSeconds,
        "uptime_in_seconds");

    public static readonly Metric UserSeconds = Counter(
        "cpu_user_seconds", "CPU that the process has used for itself.",
        _ => Environment.CpuUsage.UserTime.TotalSeconds);

    public static readonly Metric SystemSeconds = Counter(
        "cpu_sys_seconds", "CPU that the kernel has used for the process.",
        _ => Environment.CpuUsage.PrivilegedTime.TotalSeconds);

    /// <summary>All of them.</summary>
    public static readonly Metric[] All = [Up, Instance, UptimeSeconds, UserSeconds, SystemSeconds];
}
