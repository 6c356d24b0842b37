using System.Globalization;

namespace Strata.Bench.Load;

/// <summary>What a server says of itself at one moment (INFO).</summary>
internal sealed class ServerInfo
{
    private readonly string[] _lines;

    private ServerInfo(string text) => _lines = text.Split('\n');

    /// <summary>Asks for some sections.</summary>
    /// <exception cref="BenchException">The server does not answer.</exception>
    public static ServerInfo Ask(RespClient client, params string[] sections)
        => new(client.Call(["INFO", .. sections])[0]);

    /// <summary>A field; null where the server has none of that name.</summary>
    public string? Find(string field)
    {
        var label = field + ":";
        return Array.Find(_lines, line => line.StartsWith(label, StringComparison.Ordinal))?[label.Length..]
            .TrimEnd('\r');
    }

    /// <summary>A field that is a number.</summary>
    /// <exception cref="BenchException">The server has none of that name, or it is none.</exception>
    public double Number(string field)
        => double.TryParse(Find(field), CultureInfo.InvariantCulture, out var number)
            ? number
            : throw new BenchException($"The server's INFO has no number {field}.");
}
