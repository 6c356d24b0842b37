namespace Strata.Server.Options.Syntax;

/// <summary>The addresses to listen on; a single empty word means none.</summary>
public sealed class BindSyntax : IValueSyntax
{
    private const int MaxAddresses = 16;

    /// <inheritdoc/>
    public bool TakesSeveralWords => true;

    /// <inheritdoc/>
    public string Form => "addresses";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = string.Join(' ', words);
        error = words.Count > MaxAddresses ? "Too many bind addresses specified." : "";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text.Length == 0 ? "\"\"" : text];

    /// <summary>The addresses that a held text names.</summary>
    internal static IReadOnlyList<BindAddress> ToAddresses(string text) =>
        [.. text.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(BindAddress.Parse)];
}
