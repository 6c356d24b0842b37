using System.Diagnostics;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO stats: what was done since the start, or since CONFIG RESETSTAT. What the server does not have
/// (replication, defragmentation, forks) is zero.</summary>
internal static class StatsSection
{
    private const int BytesPerKilobyte = 1024;
    private const long NanosecondsPerMicrosecond = 1000;

    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Stats");
        WriteTraffic(text, source);
        WriteKeys(text, source);
        text.Field(ClientMetrics.Channels, source);
        text.Field(ClientMetrics.Patterns, source);
        text.Field("pubsubshard_channels", source.Services.Messages.ShardChannels.Count);
        text.Zeros(
            "latest_fork_usec",
            "total_forks",
            "migrate_cached_sockets",
            "slave_expires_tracked_keys",
            "active_defrag_hits",
            "active_defrag_misses",
            "active_defrag_key_hits",
            "active_defrag_key_misses",
            "total_active_defrag_time",
            "current_active_defrag_time");
        WriteTracking(text, source);
        text.Field("unexpected_error_replies", 0);
        text.Field(TrafficMetrics.ErrorReplies, source);
        text.Field("dump_payload_sanitizations", 0);
        WriteLoop(text, source);
        text.Field("acl_access_denied_auth", source.Totals[ServerCounter.AuthenticationsDenied]);
        text.Field("acl_access_denied_cmd", source.Totals[ServerCounter.CommandsDenied]);
        text.Field("acl_access_denied_key", source.Totals[ServerCounter.KeysDenied]);
        text.Field("acl_access_denied_channel", source.Totals[ServerCounter.ChannelsDenied]);
    }

    /// <summary>A key that clients of several workers have read counts for each.</summary>
    private static void WriteTracking(InfoText text, MetricSource source)
    {
        var workers = source.Services.Workers;
        text.Field("tracking_total_keys", workers.Sum(worker => (long)worker.Tracking.Keys));
        text.Field("tracking_total_items", workers.Sum(worker => worker.Tracking.Items));
        text.Field("tracking_total_prefixes", source.Services.Invalidations.Prefixes.Count);
    }

    private static void WriteTraffic(InfoText text, MetricSource source)
    {
        var totals = source.Totals;
        var rates = source.Services.Diagnostics.Rates;
        text.Field(TrafficMetrics.ConnectionsReceived, source);
        text.Field(TrafficMetrics.Commands, source);
        text.Field("instantaneous_ops_per_sec", (long)rates.CommandsPerSecond);
        text.Field(TrafficMetrics.ReceivedBytes, source);
        text.Field(TrafficMetrics.SentBytes, source);
        text.Zeros("total_net_repl_input_bytes", "total_net_repl_output_bytes");
        text.Field("instantaneous_input_kbps", rates.ReceivedBytesPerSecond / BytesPerKilobyte, 2);
        text.Field("instantaneous_output_kbps", rates.SentBytesPerSecond / BytesPerKilobyte, 2);
        text.Field("instantaneous_input_repl_kbps", 0, 2);
        text.Field("instantaneous_output_repl_kbps", 0, 2);
        text.Field(TrafficMetrics.ConnectionsRejected, source);
        text.Zeros("sync_full", "sync_partial_ok", "sync_partial_err");
    }

    private static void WriteKeys(InfoText text, MetricSource source)
    {
        var totals = source.Totals;
        text.Field(KeyMetrics.ExpiredFields, source);
        text.Field(KeyMetrics.ExpiredKeys, source);
        text.Field("expired_stale_perc", 0, 2); // Redis guesses it from samples; pages know what is due in them.
        text.Field(KeyMetrics.ExpireCyclesCut, source);
        text.Field("expire_cycle_cpu_milliseconds", Milliseconds(totals[ServerCounter.ExpireCycleTicks]));
        text.Field(KeyMetrics.EvictedKeys, source);
        text.Field("evicted_clients", 0);
        text.Field("evicted_scripts", source.Services.Scripts.Cache.Evicted);
        text.Field("total_eviction_exceeded_time", totals[ServerCounter.OverLimitMs]);
        text.Field("current_eviction_exceeded_time", source.Services.Diagnostics.OverLimit.CurrentMs);
        text.Field(KeyMetrics.Hits, source);
        text.Field(KeyMetrics.Misses, source);
    }

    /// <summary>What all workers' loops did together. EXEC's time, and a script's, is that of its commands, which count
    /// themselves.</summary>
    private static void WriteLoop(InfoText text, MetricSource source)
    {
        var totals = source.Totals;
        var rates = source.Services.Diagnostics.Rates;
        var commands = totals.UsedCommands
            .Where(command => !command.Row.Has(CommandFlags.ExecutesQueue | CommandFlags.ExecutesScript));
        text.Field(TrafficMetrics.Reads, source);
        text.Field(TrafficMetrics.Writes, source);
        text.Zeros("io_threaded_reads_processed", "io_threaded_writes_processed");
        text.Field(TrafficMetrics.InputLimitsPassed, source);
        text.Field(TrafficMetrics.OutputLimitsPassed, source);
        text.Zeros("reply_buffer_shrinks", "reply_buffer_expands");
        text.Field(TrafficMetrics.Turns, source);
        text.Field("eventloop_duration_sum", Microseconds(totals[ServerCounter.TurnTicks]));
        text.Field(
            "eventloop_duration_cmd_sum", commands.Sum(command => command.Nanoseconds) / NanosecondsPerMicrosecond);
        text.Field("instantaneous_eventloop_cycles_per_sec", (long)rates.TurnsPerSecond);
        text.Field("instantaneous_eventloop_duration_usec", (long)rates.MicrosecondsPerTurn);
    }

    private static long Milliseconds(long ticks) => ticks * 1000 / Stopwatch.Frequency;

    private static long Microseconds(long ticks) => (long)(ticks * (1e6 / Stopwatch.Frequency));
}
