using Strata.Server.Clients;

namespace Strata.Server.Metrics;

/// <summary>What a database holds, over all shards. Any thread.</summary>
/// <param name="Database">Its number.</param>
/// <param name="Keys">Keys.</param>
/// <param name="Expires">Those that expire.</param>
/// <param name="AverageTimeLeftMs">How long they have left on average, milliseconds; not below 0.</param>
/// <param name="ExpiringHashes">Hashes in memory with fields that expire.</param>
internal readonly record struct DatabaseOverview(
    int Database, long Keys, long Expires, long AverageTimeLeftMs, long ExpiringHashes)
{
    /// <summary>The databases that have keys.</summary>
    public static IEnumerable<DatabaseOverview> All(ServerServices services)
    {
        var server = services.Context;
        var nowMs = services.Diagnostics.Clock.GetUtcNow().ToUnixTimeMilliseconds();
        for (var database = 0; database < server.Databases.Count; database++)
        {
            var physical = server.Databases.PhysicalOf(database);
            var (keys, expires, timeLeftMs, hashes) = (0L, 0L, 0L, 0L);
            foreach (var shard in server.Shards.All)
            {
                keys += shard.Databases.Keys(physical);
                expires += shard.Databases.Expires(physical);
                hashes += shard.Collections.Fields.CountOf(physical);
                timeLeftMs += shard.Databases.TimeLeftMs(physical, nowMs);
            }

            if (keys > 0)
            {
                var averageMs = Math.Max(0, timeLeftMs / Math.Max(1, expires));
                yield return new DatabaseOverview(database, keys, expires, averageMs, hashes);
            }
        }
    }
}
