using System.Globalization;
using System.Numerics;

namespace Strata.Server.Options.Syntax;

/// <summary>A power of two from 1 to a largest one.</summary>
/// <param name="maximum">The largest one allowed.</param>
public sealed class PowerOfTwoSyntax(int maximum) : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => $"power of two 1..{maximum}";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = "";
        error = "";
        if (!int.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            || number > maximum
            || !BitOperations.IsPow2(number))
        {
            error = $"argument must be a power of two between 1 and {maximum} inclusive";
        }
        else
        {
            text = number.ToString(CultureInfo.InvariantCulture);
        }

        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text];
}
