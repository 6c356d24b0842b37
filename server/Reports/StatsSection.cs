using System.Diagnostics;

namespace Strata.Server.Reports;

/// <summary>INFO stats: what was done since the start, or since CONFIG RESETSTAT.</summary>
internal static class StatsSection
{
    private const int BytesPerKilobyte = 1024;

    public static void Write(InfoText text, InfoSource source)
    {
        var totals = source.Totals;
        var rates = source.Services.Diagnostics.Rates;
        text.Section("Stats");
        text.Field("total_connections_received", totals.ConnectionsReceived);
        text.Field("total_commands_processed", totals.Commands);
        text.Field("instantaneous_ops_per_sec", (long)rates.CommandsPerSecond);
        text.Field("total_net_input_bytes", totals.ReceivedBytes);
        text.Field("total_net_output_bytes", totals.SentBytes);
        text.Field("instantaneous_input_kbps", rates.ReceivedBytesPerSecond / BytesPerKilobyte, 2);
        text.Field("instantaneous_output_kbps", rates.SentBytesPerSecond / BytesPerKilobyte, 2);
        text.Field("rejected_connections", totals.ConnectionsRejected);
        text.Field("expired_keys", totals.ExpiredKeys);
        text.Field("expired_subkeys", totals.ExpiredFields);
        text.Field("expire_cycle_cpu_milliseconds", Milliseconds(totals.ExpireCycleTicks));
        text.Field("evicted_keys", totals.EvictedKeys);
        text.Field("total_eviction_exceeded_time", Milliseconds(totals.EvictionTicks));
        text.Field("keyspace_hits", totals.Hits);
        text.Field("keyspace_misses", totals.Misses);
        text.Field("pubsub_channels", source.Services.Messages.Channels.Count);
        text.Field("pubsub_patterns", source.Services.Messages.Patterns.Count);
        text.Field("pubsubshard_channels", source.Services.Messages.ShardChannels.Count);
        text.Field("total_forks", 0);
        text.Field("total_error_replies", totals.TotalErrors);
        text.Field("eventloop_cycles", totals.Turns);
        text.Field("instantaneous_eventloop_cycles_per_sec", (long)rates.TurnsPerSecond);
    }

    private static long Milliseconds(long ticks) => ticks * 1000 / Stopwatch.Frequency;
}
