using Strata.Server.Text;

namespace Strata.Server.Options.Syntax;

/// <summary>Any text, also none.</summary>
/// <param name="form">What it is, for help and documentation.</param>
public sealed class TextSyntax(string form) : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => form;

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = words[0];
        error = "";
        return true;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [QuotedWords.Quote(text)];
}
