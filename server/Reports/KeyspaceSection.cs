using System.Globalization;

namespace Strata.Server.Reports;

/// <summary>INFO keyspace: a line for every database that has keys. The mean time to live is that of all keys that
/// expire, where Redis gives an estimate. Hashes with fields that expire (subexpiry) are counted in memory.</summary>
internal static class KeyspaceSection
{
    public static void Write(InfoText text, InfoSource source)
    {
        text.Section("Keyspace");
        var server = source.Server;
        for (var database = 0; database < server.Databases.Count; database++)
        {
            var physical = server.Databases.PhysicalOf(database);
            var (keys, expires, timeLeftMs, hashes) = (0L, 0L, 0L, 0L);
            var nowMs = source.Services.Diagnostics.Clock.GetUtcNow().ToUnixTimeMilliseconds();
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
                text.Field($"db{database}", string.Create(
                    CultureInfo.InvariantCulture,
                    $"keys={keys},expires={expires},avg_ttl={averageMs},subexpiry={hashes}"));
            }
        }
    }
}
