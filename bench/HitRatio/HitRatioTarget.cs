using System.Globalization;

namespace Strata.Bench.HitRatio;

/// <summary>A running server and the name it has in the table.</summary>
internal sealed record HitRatioTarget(string Name, string Host, int Port)
{
    /// <exception cref="BenchException">The text is not NAME=HOST:PORT.</exception>
    public static HitRatioTarget Parse(string text)
    {
        var name = text.IndexOf('=', StringComparison.Ordinal);
        var port = text.LastIndexOf(':');
        return name > 0 && port > name + 1
            && int.TryParse(text.AsSpan(port + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? new HitRatioTarget(text[..name], text[(name + 1)..port], number)
            : throw new BenchException($"--target {text} names no server: write it as NAME=HOST:PORT.");
    }
}
