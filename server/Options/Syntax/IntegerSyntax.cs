using System.Globalization;

namespace Strata.Server.Options.Syntax;

/// <summary>A whole number in a range, in plain decimal notation (no sign but minus, no leading zeros).</summary>
/// <param name="minimum">The smallest number accepted.</param>
/// <param name="maximum">The largest number accepted.</param>
public sealed class IntegerSyntax(long minimum, long maximum) : IValueSyntax
{
    /// <summary>What an accepted number smaller than this is raised to.</summary>
    public long RaiseTo { get; init; } = long.MinValue;

    /// <summary>What an accepted number larger than this is lowered to.</summary>
    public long LowerTo { get; init; } = long.MaxValue;

    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => maximum is long.MaxValue or int.MaxValue or uint.MaxValue
        ? $"number from {minimum}"
        : $"number {minimum}..{maximum}";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = "";
        error = "";
        if (!TryParse(words[0], out var number))
        {
            error = "argument couldn't be parsed into an integer";
        }
        else if (number < minimum || number > maximum)
        {
            error = $"argument must be between {minimum} and {maximum} inclusive";
        }
        else
        {
            text = Math.Clamp(number, RaiseTo, LowerTo).ToString(CultureInfo.InvariantCulture);
        }

        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text];

    private static bool TryParse(string word, out long number) =>
        long.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number)
        && word == number.ToString(CultureInfo.InvariantCulture);
}
