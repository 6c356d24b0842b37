using System.Buffers;
using System.Text.Json;
using Strata.Server.Clients;
using Strata.Server.Clients.Costs;

namespace Strata.Server.Reports;

/// <summary>What clients have cost, as the live page shows it.</summary>
internal static class CostFigures
{
    /// <summary>Writes a JSON document with a list for each way to put them together.</summary>
    public static void Write(ServerServices services, IBufferWriter<byte> output)
    {
        using var writer = new Utf8JsonWriter(output);
        writer.WriteStartObject();
        foreach (var grouping in Enum.GetValues<CostGrouping>())
        {
            var list = new CostList(services.Costs, grouping);
            writer.WriteStartArray(grouping.ToString().ToLowerInvariant());
            foreach (var sum in list.Sums.Take(TrafficLimits.OwnersTold))
            {
                writer.WriteStartObject();
                writer.WriteString("name", sum.Owner.Name);
                writer.WriteString("library", sum.Owner.Library);
                writer.WriteString("address", sum.Owner.Address);
                writer.WriteString("user", sum.Owner.User);
                writer.WriteNumber("connections", sum.Connections);
                writer.WriteNumber("commands", sum.Commands);
                writer.WriteNumber("bytes", sum.BytesIn + sum.BytesOut);
                writer.WriteNumber("microseconds", Math.Round(sum.Microseconds));
                writer.WriteNumber("share", sum.Microseconds / Math.Max(1, list.Microseconds));
                writer.WriteEndObject();
            }

            writer.WriteEndArray();
        }

        writer.WriteEndObject();
    }
}
