using System.Globalization;
using System.Net;

namespace Strata.Server.Options.Syntax;

/// <summary>Host and port of the server to copy; <c>no one</c>, or a single empty word, means none.</summary>
public sealed class MasterSyntax : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => true;

    /// <inheritdoc/>
    public string Form => "host port";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        var isNone = words is [""]
            || (words.Count == 2 && string.Join(' ', words).Equals("no one", StringComparison.OrdinalIgnoreCase));
        text = isNone ? "" : string.Join(' ', words);
        error = isNone ? ""
            : words.Count != 2 ? "wrong number of arguments"
            : IsPort(words[1]) ? ""
            : "Invalid master port";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text.Length == 0 ? "no one" : text];

    private static bool IsPort(string word) =>
        int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var port)
        && port <= IPEndPoint.MaxPort;
}
