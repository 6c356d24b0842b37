using System.Globalization;

namespace Strata.Server.Diagnostics.Info;

/// <summary>INFO keyspace: a line for every database that has keys. The mean time to live is not measured, which
/// Redis's format expresses by 0.</summary>
internal static class KeyspaceSection
{
    public static void Write(InfoText text, InfoSource source)
    {
        text.Section("Keyspace");
        var server = source.Server;
        for (var database = 0; database < server.Databases.Count; database++)
        {
            var physical = server.Databases.PhysicalOf(database);
            var (keys, expires) = (0L, 0L);
            foreach (var shard in server.Shards.All)
            {
                keys += shard.Databases.Keys(physical);
                expires += shard.Databases.Expires(physical);
            }

            if (keys > 0)
            {
                text.Field($"db{database}", string.Create(
                    CultureInfo.InvariantCulture, $"keys={keys},expires={expires},avg_ttl=0"));
            }
        }
    }
}
