
namespace Strata.Server.Reports;

/// <summary>INFO clients. Of the kinds of clients that the server does not have, there are none.</summary>
internal static class ClientsSection
{
    public static void Write(InfoText text, InfoSource source)
    {
        text.Section("Clients");
        text.Field("connected_clients", source.Services.Diagnostics.Clients.Connected);
        text.Field("cluster_connections", 0);
        text.Field("maxclients", source.Server.Configuration.Current.MaxClients);
        text.Field("blocked_clients", source.Services.Workers.Sum(worker => worker.Blocked.Count));
        text.Field("tracking_clients", 0);
        text.Field("clients_in_timeout_table", source.Services.Workers.Sum(worker => worker.Blocked.WithDeadline));
        var keys = 0L;
        foreach (var shard in source.Server.Shards.All)
        {
            keys += shard.Waits.Keys;
        }

        text.Field("total_blocking_keys", keys);
        text.Field("total_blocking_keys_on_nokey", 0);
    }
}
