using System.Buffers;
using System.Text.Json;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Keyspace;

namespace Strata.Server.Reports;

/// <summary>What memory goes by prefixes of keys, and the largest keys, as the live page shows them: of the keys that a
/// user may read.</summary>
internal static class PrefixFigures
{
    /// <summary>Writes a JSON document.</summary>
    /// <param name="services">The server.</param>
    /// <param name="row">STRATA PREFIXES.</param>
    /// <param name="user">Who asks.</param>
    /// <param name="output">Where to.</param>
    public static void Write(ServerServices services, CommandRow row, AccessUser user, IBufferWriter<byte> output)
    {
        using var writer = new Utf8JsonWriter(output);
        writer.WriteStartObject();
        WritePrefixes(writer, services, (name, isWhole) => user.AllowsTellingOf(row, name, isWhole));
        var large = new LargeKeyList(services.Censuses);
        writer.WriteStartArray("large");
        foreach (var key in large.Keys.Where(key => user.AllowsTellingOf(row, key.Bytes, key.IsWhole))
            .Take(TrafficLimits.PrefixesShown))
        {
            writer.WriteStartObject();
            writer.WriteString("name", KeyText.Of(key.Bytes, key.IsWhole));
            writer.WriteNumber("db", services.Context.Databases.LogicalOf(key.Database));
            writer.WriteNumber("bytes", key.Size);
            writer.WriteBoolean("isCold", key.IsCold);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void WritePrefixes(Utf8JsonWriter writer, ServerServices services, PrefixList.Filter mayTell)
    {
        var list = new PrefixList(PrefixRule.Usual);
        list.Add(services.Censuses, mayTell);
        var shares = list.Shares();
        var total = Math.Max(1, shares.Sum(static share => share.Bytes));
        writer.WriteStartArray("prefixes");
        foreach (var share in shares.Take(TrafficLimits.PrefixesShown))
        {
            writer.WriteStartObject();
            writer.WriteString("name", share.Prefix.Length == 0 ? "" : KeyText.Of(share.Prefix, isWhole: true));
            writer.WriteNumber("db", services.Context.Databases.LogicalOf(share.Database));
            Write(writer, "keys", share.Keys);
            Write(writer, "memory", share.Memory);
            Write(writer, "disk", share.Disk);
            writer.WriteNumber("share", share.Bytes / total);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter writer, string name, in Estimate estimate)
    {
        writer.WriteStartArray(name);
        writer.WriteNumberValue(Math.Round(estimate.Value));
        writer.WriteNumberValue(Math.Floor(estimate.AtLeast));
        writer.WriteNumberValue(Math.Ceiling(estimate.AtMost));
        writer.WriteEndArray();
    }
}
