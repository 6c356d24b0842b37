using System.Globalization;

namespace Strata.Bench.HitRatio;

/// <summary>Sizes as redis.conf writes them: 64mb is 64 × 1024², 64m is 64 × 1000².</summary>
internal static class MemorySize
{
    private static readonly (string Unit, long Bytes)[] s_units =
    [
        ("kb", 1L << 10), ("mb", 1L << 20), ("gb", 1L << 30), ("k", 1_000), ("m", 1_000_000), ("g", 1_000_000_000),
        ("b", 1), ("", 1),
    ];

    /// <exception cref="BenchException">The text is no size above 0; the message names the flag.</exception>
    public static long Parse(string text, string flag)
    {
        var (unit, unitBytes) = s_units.First(u => text.EndsWith(u.Unit, StringComparison.OrdinalIgnoreCase));
        return long.TryParse(text[..^unit.Length], NumberStyles.None, CultureInfo.InvariantCulture, out var count)
            && count > 0 && count <= long.MaxValue / unitBytes
            ? count * unitBytes
            : throw new BenchException($"{flag} {text} is not a size: write it as 64mb or 1gb.");
    }
}
