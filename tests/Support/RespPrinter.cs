using System.Globalization;
using System.Text;

namespace Strata.Tests.Support;

/// <summary>Prints replies and arguments for failure messages: every byte shown, one reply item per line.</summary>
public static class RespPrinter
{
    private const int MaxShownBytes = 600;

    public static string Print(RespValue value)
    {
        var output = new StringBuilder();
        Append(output, value, indent: 0);
        return output.ToString();
    }

    /// <summary>Double-quoted with redis-cli's escapes; long payloads are cut in the middle and say so.</summary>
    public static string Quote(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= MaxShownBytes)
        {
            return QuoteAll(bytes);
        }

        const int half = MaxShownBytes / 2;
        return $"{QuoteAll(bytes[..half])}...({bytes.Length} bytes)...{QuoteAll(bytes[^half..])}";
    }

    /// <summary>Double-quoted with redis-cli's escapes, whole however long.</summary>
    public static string QuoteAll(ReadOnlySpan<byte> bytes)
    {
        var output = new StringBuilder(bytes.Length + 2).Append('"');
        foreach (var b in bytes)
        {
            _ = b switch
            {
                (byte)'"' => output.Append("\\\""),
                (byte)'\\' => output.Append("\\\\"),
                (byte)'\n' => output.Append("\\n"),
                (byte)'\r' => output.Append("\\r"),
                (byte)'\t' => output.Append("\\t"),
                >= 0x20 and < 0x7f => output.Append((char)b),
                _ => output.Append(CultureInfo.InvariantCulture, $"\\x{b:x2}"),
            };
        }

        return output.Append('"').ToString();
    }

    private static void Append(StringBuilder output, RespValue value, int indent)
    {
        if (value.IsAggregate)
        {
            AppendAggregate(output, value, indent);
            return;
        }

        _ = value.Kind switch
        {
            RespKind.Integer => output.Append("(integer) ").Append(value.Text),
            RespKind.SimpleString => output.Append('+').Append(Shown(value)),
            RespKind.Error => output.Append("(error) ").Append(Shown(value)),
            RespKind.BulkString => output.Append(Quote(value.Bytes)),
            RespKind.NullBulk => output.Append("(nil bulk, $-1)"),
            RespKind.NullArray => output.Append("(nil array, *-1)"),
            RespKind.Null => output.Append("(null, _)"),
            _ => output.Append('(').Append(value.Kind).Append(") ").Append(Shown(value)),
        };
    }

    private static void AppendAggregate(StringBuilder output, RespValue value, int indent)
    {
        output.Append('(').Append(value.Kind).Append(" of ").Append(value.Items.Count).Append(')');
        for (var i = 0; i < value.Items.Count; i++)
        {
            output.Append('\n').Append(' ', indent + 2).Append(i + 1).Append(") ");
            Append(output, value.Items[i], indent + 4);
        }
    }

    private static string Shown(RespValue value)
    {
        var quoted = Quote(value.Bytes);
        return quoted[1..^1];
    }
}
