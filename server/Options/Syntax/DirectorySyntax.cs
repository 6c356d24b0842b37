using Strata.Server.Text;

namespace Strata.Server.Options.Syntax;

/// <summary>A directory, held as an absolute path.</summary>
public sealed class DirectorySyntax : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "directory";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = "";
        error = words[0].Length == 0 || words[0].Contains('\0') ? "No such file or directory" : "";
        if (error.Length == 0)
        {
            var path = Path.GetFullPath(ConfigurationText.ToUnicode(words[0]));
            text = ConfigurationText.FromUnicode(Path.TrimEndingDirectorySeparator(path));
        }

        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [QuotedWords.Quote(text)];
}
