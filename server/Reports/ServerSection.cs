using Strata.Server.Lifecycle;
using Strata.Server.Metrics;
using Strata.Server.Options;
using Strata.Server.Versions;
using Strata.Storage.Log;

namespace Strata.Server.Reports;

/// <summary>INFO server: which program this is and where it runs.</summary>
internal static class ServerSection
{
    private const int SecondsPerDay = 24 * 60 * 60;
    private const int BuildIdDigits = 16;

    private static readonly string s_buildId =
        typeof(ServerSection).Module.ModuleVersionId.ToString("N")[..BuildIdDigits];

    public static void Write(InfoText text, MetricSource source)
    {
        var server = source.Server;
        var options = server.Configuration.Current;
        var now = source.Services.Diagnostics.Clock.GetUtcNow();
        text.Section("Server");
        text.Field("redis_version", RedisCompatibility.Version);
        text.Field("redis_git_sha1", "00000000"); // What Redis says where it was not built from a repository.
        text.Field("redis_git_dirty", 0);
        text.Field("redis_build_id", s_buildId);
        text.Field("strata_version", ProductVersion.Text);
        text.Field("redis_mode", "standalone");
        text.Field("os", source.Services.Diagnostics.OperatingSystem);
        text.Field("arch_bits", IntPtr.Size * 8);
        text.Field("monotonic_clock", "POSIX clock_gettime");
        text.Field("multiplexing_api", "epoll");
        text.Field("atomicvar_api", "dotnet-interlocked");
        text.Field("gcc_version", "0.0.0"); // What Redis says where another compiler built it.
        text.Field("dotnet_version", Environment.Version.ToString());
        text.Field("process_id", Environment.ProcessId);
        text.Field("process_supervised", Supervision.Name(options.Supervised));
        text.Field("run_id", source.Services.Diagnostics.RunId);
        text.Field("tcp_port", options.Port != 0 ? options.Port : options.TlsPort);
        text.Field("server_time_usec", (now - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond);
        text.Field(ProcessMetrics.UptimeSeconds, source);
        text.Field("uptime_in_days", (long)ProcessMetrics.UptimeSeconds.Value!(source) / SecondsPerDay);
        text.Field("hz", options.Hz);
        text.Field("configured_hz", options.Hz);
        text.Field("lru_clock", AccessClock.At(now.ToUnixTimeMilliseconds()));
        text.Field("executable", Environment.ProcessPath ?? "");
        text.Field("config_file", server.Configuration.ConfFile ?? "");
        text.Field("io_threads_active", server.WorkerCount > 1 ? 1 : 0);
        text.Field("workers", server.WorkerCount);
        text.Field("shards", server.Shards.Count);
        WriteListeners(text, options);
    }

    private static void WriteListeners(InfoText text, ServerOptions options)
    {
        var number = 0;
        var binds = string.Concat(options.Binds.Select(bind => $",bind={bind.Host}"));
        if (options.Port != 0)
        {
            text.Field($"listener{number++}", FormattableString.Invariant($"name=tcp{binds},port={options.Port}"));
        }

        if (options.UnixSocketPath.Length > 0)
        {
            text.Field($"listener{number++}", $"name=unix,bind={options.UnixSocketPath}");
        }

        if (options.TlsPort != 0)
        {
            text.Field($"listener{number}", FormattableString.Invariant($"name=tls{binds},port={options.TlsPort}"));
        }
    }
}
