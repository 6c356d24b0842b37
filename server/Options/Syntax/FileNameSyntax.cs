using Strata.Server.Text;

namespace Strata.Server.Options.Syntax;

/// <summary>The name of a file or a folder, without a path.</summary>
/// <param name="form">What it is, for help and documentation.</param>
/// <param name="refusal">What is said of a path, in Redis's words.</param>
public sealed class FileNameSyntax(string form, string refusal) : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => form;

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = words[0];
        error = text.Contains('/') || text.Contains('\0') ? refusal : "";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [QuotedWords.Quote(text)];
}
