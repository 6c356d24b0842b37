using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO clients. Of the kinds of clients that the server does not have, there are none.</summary>
internal static class ClientsSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        var workers = source.Services.Workers;
        text.Section("Clients");
        text.Field(ClientMetrics.Connected, source);
        text.Field("cluster_connections", 0);
        text.Field(ClientMetrics.Most, source);
        text.Field("client_recent_max_input_buffer", workers.Max(worker => worker.ClientMemory.LargestInputBytes));
        text.Field("client_recent_max_output_buffer", workers.Max(worker => worker.ClientMemory.LargestOutputBytes));
        text.Field(ClientMetrics.Blocked, source);
        text.Field(ClientMetrics.Tracking, source);
        text.Field(ClientMetrics.Subscribers, source);
        text.Field(ClientMetrics.Watchers, source);
        text.Field("clients_in_timeout_table", workers.Sum(worker => worker.Blocked.WithDeadline));
        var (watched, awaited, ofGroups) = (0L, 0L, 0L);
        foreach (var shard in source.Server.Shards.All)
        {
            watched += shard.Watches.Keys;
            awaited += shard.Waits.Keys;
            ofGroups += shard.Waits.KeysOfGroups;
        }

        text.Field("total_watched_keys", watched);
        text.Field("total_blocking_keys", awaited);
        text.Field("total_blocking_keys_on_nokey", ofGroups);
    }
}
