namespace Strata.Server.Options.Syntax;

/// <summary>Names of directives that are not supported; a single empty word means none.</summary>
public sealed class UnsupportedNamesSyntax : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => true;

    /// <inheritdoc/>
    public string Form => "directives";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = string.Join(' ', words).ToLowerInvariant();
        var wrong = words.FirstOrDefault(word => word.Length > 0 && !UnsupportedSettings.Contains(word));
        error = wrong is null ? "" : $"{wrong} is no directive that is not supported{NearestName.Hint(wrong)}";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text.Length == 0 ? "\"\"" : text];
}
