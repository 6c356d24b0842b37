using Strata.Server.Text;

namespace Strata.Server.Options.Syntax;

/// <summary>Any text, also none.</summary>
/// <param name="form">What it is, for help and documentation.</param>
/// <param name="most">Bytes that it may have.</param>
public sealed class TextSyntax(string form, int most = int.MaxValue) : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => form;

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = words[0];
        error = text.Length > most ? $"argument must have at most {most} bytes" : "";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [QuotedWords.Quote(text)];
}
