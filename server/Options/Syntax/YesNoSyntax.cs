namespace Strata.Server.Options.Syntax;

/// <summary><c>yes</c> or <c>no</c>, in any case.</summary>
public sealed class YesNoSyntax : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "yes or no";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = words[0].ToLowerInvariant();
        error = text is "yes" or "no" ? "" : "argument must be 'yes' or 'no'";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text];
}
