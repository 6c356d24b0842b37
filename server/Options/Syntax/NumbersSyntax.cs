using System.Globalization;

namespace Strata.Server.Options.Syntax;

/// <summary>A list of whole numbers; a single empty word means none.</summary>
/// <param name="form">What it is, for help and documentation.</param>
/// <param name="check">Gives the error of a list, or an empty text. A word that is no number comes as null.</param>
public sealed class NumbersSyntax(string form, Func<IReadOnlyList<long?>, string> check) : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => true;

    /// <inheritdoc/>
    public string Form => form;

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        IReadOnlyList<long?> numbers = words is [""] ? [] : [.. words.Select(Parse)];
        error = check(numbers);
        text = string.Join(' ', numbers.Select(number => number?.ToString(CultureInfo.InvariantCulture)));
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text.Length == 0 ? "\"\"" : text];

    // Redis reads them by strtoll, for which an empty word, as behind the last space of "900 ", is zero.
    private static long? Parse(string word)
    {
        if (word.Length == 0)
        {
            return 0;
        }

        return long.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
    }
}
