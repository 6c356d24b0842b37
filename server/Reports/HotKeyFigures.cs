using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Text;

namespace Strata.Server.Reports;

/// <summary>The hot keys as the live page shows them: those that a user may read.</summary>
internal static class HotKeyFigures
{
    private static readonly UTF8Encoding s_strict = new(
        encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

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
                writer.WriteString("name", NameOf(key));
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

    /// <summary>The key as a text; one that is none, or would not be seen as it is, as Redis quotes it.</summary>
    private static string NameOf(HotKey key)
    {
        var name = TextOf(key.Bytes) ?? QuotedWords.Quote(Encoding.Latin1.GetString(key.Bytes));
        return key.IsWhole ? name : name + "…";
    }

    private static string? TextOf(byte[] bytes)
    {
        try
        {
            var text = s_strict.GetString(bytes);
            return text.Length > 0 && !text.Any(static c => char.IsControl(c) || !char.IsBetween(c, ' ', '\uFFFD'))
                && !text.Any(IsUnseen)
                ? text
                : null;
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    /// <summary>Blanks but the ordinary one, and what changes the direction of others or is not drawn.</summary>
    private static bool IsUnseen(char c)
        => (char.IsWhiteSpace(c) && c != ' ')
            || char.GetUnicodeCategory(c) is UnicodeCategory.Format
                or UnicodeCategory.PrivateUse
                or UnicodeCategory.OtherNotAssigned;
}
