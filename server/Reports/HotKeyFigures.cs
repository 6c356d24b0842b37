using System.Buffers;
using System.Text.Json;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Traffic;

namespace Strata.Server.Reports;

/// <summary>The hot keys as the live page shows them: those that a user may read.</summary>
internal static class HotKeyFigures
{
    /// <summary>Writes a JSON document with a list for each measure.</summary>
    /// <param name="services">The server.</param>
    /// <param name="row">STRATA HOTKEYS.</param>
    /// <param name="user">Who asks.</param>
    /// <param name="output">Where to.</param>
    public static void Write(ServerServices services, CommandRow row, AccessUser user, IBufferWriter<byte> output)
    {
        using var writer = new Utf8JsonWriter(output);
        writer.WriteStartObject();
        foreach (var measure in Enum.GetValues<HotKeyMeasure>())
        {
            var list = services.HotKeys(measure);
            var shown = list.Keys.Where(key => user.AllowsTellingOf(row, key.Bytes, key.IsWhole));
            writer.WriteStartArray(measure.ToString().ToLowerInvariant());
            foreach (var key in shown.Take(TrafficLimits.HotKeysShown))
            {
                writer.WriteStartObject();
                writer.WriteString("name", KeyText.Of(key.Bytes, key.IsWhole));
                writer.WriteBoolean("isWhole", key.IsWhole);
                writer.WriteNumber("length", key.Length);
                writer.WriteNumber("db", services.Context.Databases.LogicalOf(key.Database));
                writer.WriteNumber("perSecond", key.PerSecond);
                writer.WriteNumber("atLeast", key.AtLeast);
                writer.WriteNumber("atMost", key.AtMost);
                writer.WriteNumber("share", key.PerSecond / list.TotalPerSecond);
                writer.WriteEndObject();
            }

            writer.WriteEndArray();
        }

        writer.WriteEndObject();
    }
}
