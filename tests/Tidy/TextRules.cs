using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Strata.Tests.Tidy;

/// <summary>Rules that need no more than a file's text, of whatever language.</summary>
internal static partial class TextRules
{
    public const int MaxFileLines = 500;
    public const int MaxColumns = 120;

    private const string Unfinished = "NotImplementedException";

    public static IEnumerable<Violation> LongFiles(SourceFile file)
    {
        if (file.IsCode && file.Lines.Count > MaxFileLines)
        {
            yield return new(file.Path, MaxFileLines + 1, $"{file.Lines.Count} lines, {MaxFileLines} are allowed");
        }
    }

    public static IEnumerable<Violation> LongLines(SourceFile file) =>
        file.IsCode
            ? Where(file, line => line.Length > MaxColumns, line => $"{line.Length} columns, {MaxColumns} are allowed")
            : [];

    public static IEnumerable<Violation> Tabs(SourceFile file) =>
        Where(file, line => line.Contains('\t'), _ => "a tab character");

    public static IEnumerable<Violation> MachinePaths(SourceFile file) =>
        Where(file, line => MachinePath().IsMatch(line), line => $"a path of one machine: {MachinePath().Match(line)}");

    /// <summary>In C# only comments and names are looked at: a string may hold any word.</summary>
    public static IEnumerable<Violation> UnfinishedMarks(SourceFile file)
    {
        if (!file.IsCSharp)
        {
            return file.IsCode ? Where(file, line => Mark().IsMatch(line), line => Mark().Match(line).Value) : [];
        }

        var comments = file.Unit.DescendantTrivia()
            .Where(trivia => IsComment(trivia.Kind()) && Mark().IsMatch(trivia.ToFullString()))
            .Select(trivia => file.At(trivia.GetLocation(), Mark().Match(trivia.ToFullString()).Value));
        var names = file.Unit.DescendantTokens()
            .Where(token => token.IsKind(SyntaxKind.IdentifierToken) && token.ValueText == Unfinished)
            .Select(token => file.At(token.GetLocation(), Unfinished));
        return comments.Concat(names);
    }

    public static IEnumerable<Violation> ScriptsThatCannotRun(SourceFile file)
    {
        if ((file.IsScript || file.Extension == ".sh") && !file.IsExecutable)
        {
            yield return new(file.Path, 1, "a script without the executable bit");
        }
    }

    private static bool IsComment(SyntaxKind kind) =>
        kind is SyntaxKind.SingleLineCommentTrivia or SyntaxKind.MultiLineCommentTrivia
            or SyntaxKind.SingleLineDocumentationCommentTrivia or SyntaxKind.MultiLineDocumentationCommentTrivia;

    private static IEnumerable<Violation> Where(SourceFile file, Func<string, bool> isWrong, Func<string, string> what)
    {
        for (var i = 0; i < file.Lines.Count; i++)
        {
            if (isWrong(file.Lines[i]))
            {
                yield return new(file.Path, i + 1, what(file.Lines[i]));
            }
        }
    }

    [GeneratedRegex(@"(?<![\w.$}])/(home|root|Users)/\w+|\b[A-Z]:\\\w+")]
    private static partial Regex MachinePath();

    [GeneratedRegex(@"\b(TODO|FIXME|XXX|HACK)\b")]
    private static partial Regex Mark();
}
