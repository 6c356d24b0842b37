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

    /// <summary>The sum of a part over all fields that are lists of such: of <c>worker0:clients=1,turns=7</c> and the
    /// others that begin so, all turns.</summary>
    /// <param name="beginning">What the fields begin with, before their number.</param>
    /// <param name="part">Which part.</param>
    /// <exception cref="BenchException">None has it.</exception>
    public double Sum(string beginning, string part)
    {
        var numbers = new List<long>();
        foreach (var line in _lines.Where(line => line.StartsWith(beginning, StringComparison.Ordinal)
            && line.Length > beginning.Length && char.IsAsciiDigit(line[beginning.Length])))
        {
            if (TryPartOf(line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..], part, out var number))
            {
                numbers.Add(number);
            }
        }

        return numbers.Count > 0 ? numbers.Sum()
            : throw new BenchException($"The server's INFO has no {part} of any {beginning}.");
    }

    /// <summary>A number of a field that has several, <c>name=number,name=number</c>.</summary>
    /// <param name="value">The field's value.</param>
    /// <param name="name">Which number.</param>
    /// <param name="number">It; 0 where it is not among them.</param>
    public static bool TryPartOf(string value, string name, out long number)
    {
        foreach (var part in value.TrimEnd('\r').Split(','))
        {
            if (part.StartsWith(name + "=", StringComparison.Ordinal)
                && long.TryParse(part.AsSpan(name.Length + 1), CultureInfo.InvariantCulture, out number))
            {
                return true;
            }
        }

        number = 0;
        return false;
    }
}
