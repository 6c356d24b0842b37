using System.Globalization;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO keyspace: a line for every database that has keys. The mean time to live is that of all keys that
/// expire, where Redis gives an estimate. Hashes with fields that expire (subexpiry) are counted in memory.</summary>
internal static class KeyspaceSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Keyspace");
        foreach (var database in source.Databases)
        {
            text.Field($"db{database.Database}", string.Create(
                CultureInfo.InvariantCulture,
                $"keys={database.Keys},expires={database.Expires},avg_ttl={database.AverageTimeLeftMs},"
                + $"subexpiry={database.ExpiringHashes}"));
        }
    }
}
