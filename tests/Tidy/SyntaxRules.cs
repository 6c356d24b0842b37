using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Strata.Tests.Tidy;

/// <summary>Rules about the shape of C# types and methods, wherever the file lies.</summary>
internal static class SyntaxRules
{
    public const int MaxMethodLines = 70;

    // Source generators that ask for a partial type, by the attribute that calls them.
    private static readonly string[] s_generatorAttributes =
        ["LoggerMessage", "LibraryImport", "GeneratedRegex", "JsonSerializable"];

    public static IEnumerable<Violation> LongMethods(SourceFile file)
    {
        if (!file.IsCSharp)
        {
            yield break;
        }

        var methods = file.Unit.DescendantNodes().Where(node =>
            node is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or LocalFunctionStatementSyntax
                or PropertyDeclarationSyntax { ExpressionBody: not null });
        foreach (var method in methods)
        {
            var lines = LinesFrom(FirstTokenAfterAttributes(method), method.GetLastToken());
            if (lines > MaxMethodLines)
            {
                yield return file.At(method, $"a method of {lines} lines, {MaxMethodLines} are allowed");
            }
        }

        var statements = file.Unit.Members.OfType<GlobalStatementSyntax>().ToList();
        if (statements.Count == 0)
        {
            yield break;
        }

        var topLines = LinesFrom(statements[0].GetFirstToken(), statements[^1].GetLastToken());
        if (topLines > MaxMethodLines)
        {
            yield return file.At(statements[0], $"{topLines} lines at top level, {MaxMethodLines} are allowed");
        }
    }

    public static IEnumerable<Violation> PartialByHand(SourceFile file) =>
        Types(file)
            .Where(type => type.Modifiers.Any(SyntaxKind.PartialKeyword))
            .Where(type => !type.DescendantNodes().OfType<AttributeSyntax>().Any(CallsGenerator))
            .Select(type => file.At(type, $"{type.Identifier.Text} is partial and no source generator asks for it"));

    public static IEnumerable<Violation> EmptyCatches(SourceFile file) =>
        file.IsCSharp
            ? file.Unit.DescendantNodes().OfType<CatchClauseSyntax>()
                .Where(clause => clause.Block.Statements.Count == 0)
                .Select(clause => file.At(clause, "a catch that swallows what it catches"))
            : [];

    public static IEnumerable<Violation> SeveralTypesPerFile(SourceFile file)
    {
        var types = TopTypes(file).ToList();
        var fileName = System.IO.Path.GetFileNameWithoutExtension(file.Path);
        if (types.Count > 0 && !types.Exists(type => NameOf(type) == fileName))
        {
            yield return file.At(types[0], $"{NameOf(types[0])} in a file of another name");
        }

        foreach (var type in types.Where(type => IsPublic(type) && NameOf(type) != fileName))
        {
            yield return file.At(type, $"the public type {NameOf(type)} belongs into a file named after it");
        }
    }

    public static IEnumerable<Violation> UndocumentedTypes(SourceFile file) =>
        file.IsUnder("storage") || file.IsUnder("server")
            ? Types(file).OfType<MemberDeclarationSyntax>().Concat(Delegates(file))
                .Where(type => IsPublic(type) && !HasDocstring(type))
                .Select(type => file.At(type, $"the public type {NameOf(type)} has no docstring"))
            : [];

    private static IEnumerable<BaseTypeDeclarationSyntax> Types(SourceFile file) =>
        file.IsCSharp ? file.Unit.DescendantNodes().OfType<BaseTypeDeclarationSyntax>() : [];

    private static IEnumerable<DelegateDeclarationSyntax> Delegates(SourceFile file) =>
        file.IsCSharp ? file.Unit.DescendantNodes().OfType<DelegateDeclarationSyntax>() : [];

    private static IEnumerable<MemberDeclarationSyntax> TopTypes(SourceFile file) =>
        Types(file).OfType<MemberDeclarationSyntax>().Concat(Delegates(file))
            .Where(type => type.Parent is BaseNamespaceDeclarationSyntax or CompilationUnitSyntax)
            .Where(type => !type.Modifiers.Any(SyntaxKind.FileKeyword))
            .OrderBy(type => type.SpanStart);

    private static string NameOf(MemberDeclarationSyntax type) =>
        (type as DelegateDeclarationSyntax)?.Identifier.Text ?? ((BaseTypeDeclarationSyntax)type).Identifier.Text;

    private static bool IsPublic(MemberDeclarationSyntax type) => type.Modifiers.Any(SyntaxKind.PublicKeyword);

    private static bool HasDocstring(MemberDeclarationSyntax type) =>
        type.GetLeadingTrivia().Any(trivia => trivia.GetStructure() is DocumentationCommentTriviaSyntax);

    private static bool CallsGenerator(AttributeSyntax attribute)
    {
        var name = attribute.Name.ToString().Split('.')[^1];
        return s_generatorAttributes.Contains(name);
    }

    private static SyntaxToken FirstTokenAfterAttributes(SyntaxNode method) =>
        method.DescendantTokens(descendIntoChildren: node => node is not AttributeListSyntax).First();

    private static int LinesFrom(SyntaxToken first, SyntaxToken last)
    {
        var start = first.GetLocation().GetLineSpan().StartLinePosition.Line;
        return last.GetLocation().GetLineSpan().EndLinePosition.Line - start + 1;
    }
}
