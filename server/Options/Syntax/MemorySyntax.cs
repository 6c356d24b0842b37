using System.Globalization;
using System.Numerics;

namespace Strata.Server.Options.Syntax;

/// <summary>
/// A size in memory: digits and a unit in any case, none or <c>b</c> for bytes, <c>k m g</c> for powers of 1000,
/// <c>kb mb gb</c> for powers of 1024. Held in bytes. No digits at all mean 0, as in Redis.
/// </summary>
/// <param name="minimumBytes">The smallest size allowed.</param>
/// <param name="maximumBytes">The largest size allowed.</param>
public sealed class MemorySyntax(long minimumBytes, long maximumBytes = long.MaxValue) : IValueSyntax
{
    private static readonly (string Name, long Bytes)[] s_units =
    [
        ("", 1), ("b", 1), ("k", 1000), ("m", 1000 * 1000), ("g", 1000 * 1000 * 1000),
        ("kb", 1L << 10), ("mb", 1L << 20), ("gb", 1L << 30),
    ];

    /// <summary>Whether only powers of two are allowed.</summary>
    public bool IsPowerOfTwo { get; init; }

    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "size (1024, 100mb, 4gb)";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = "";
        error = "";
        if (!TryParse(words[0], out var bytes))
        {
            error = "argument must be a memory value";
        }
        else if (bytes < minimumBytes || bytes > maximumBytes || bytes == long.MaxValue)
        {
            error = $"argument must be between {minimumBytes} and {maximumBytes} inclusive";
        }
        else if (IsPowerOfTwo && !BitOperations.IsPow2(bytes))
        {
            error = "argument must be a power of two";
        }
        else
        {
            text = bytes.ToString(CultureInfo.InvariantCulture);
        }

        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [Format(long.Parse(text, CultureInfo.InvariantCulture))];

    /// <summary>Reads a size; one that is too large for 63 bits gives <see cref="long.MaxValue"/>.</summary>
    internal static bool TryParse(string word, out long bytes)
    {
        bytes = 0;
        var digits = 0;
        while (digits < word.Length && char.IsAsciiDigit(word[digits]))
        {
            digits++;
        }

        var unit = Array.Find(s_units, u => word.AsSpan(digits).Equals(u.Name, StringComparison.OrdinalIgnoreCase));
        if (unit.Bytes == 0)
        {
            return false;
        }

        foreach (var digit in word.AsSpan(0, digits))
        {
            bytes = bytes > (long.MaxValue - 9) / 10 ? long.MaxValue : (bytes * 10) + (digit - '0');
        }

        bytes = bytes > long.MaxValue / unit.Bytes ? long.MaxValue : bytes * unit.Bytes;
        return true;
    }

    /// <summary>The size in the largest unit that divides it.</summary>
    internal static string Format(long bytes) => bytes switch
    {
        0 => "0",
        _ when bytes % (1L << 30) == 0 => $"{bytes >> 30}gb",
        _ when bytes % (1L << 20) == 0 => $"{bytes >> 20}mb",
        _ when bytes % (1L << 10) == 0 => $"{bytes >> 10}kb",
        _ => bytes.ToString(CultureInfo.InvariantCulture),
    };
}
