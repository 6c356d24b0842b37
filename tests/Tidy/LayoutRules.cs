using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Strata.Tests.Tidy;

/// <summary>Rules about what may stand in which folder.</summary>
internal static class LayoutRules
{
    private static readonly Dictionary<string, string> s_rootNamespaces = new()
    {
        ["storage"] = "Strata.Storage",
        ["server"] = "Strata.Server",
        ["bench"] = "Strata.Bench",
        ["tests"] = "Strata.Tests",
    };

    // LINQ's methods whose names nothing else on the data path bears; the others count when they are given a lambda.
    private static readonly string[] s_linqNames =
    [
        "AsEnumerable", "Cast", "FirstOrDefault", "GroupBy", "LastOrDefault", "OfType", "OrderBy",
        "OrderByDescending", "SelectMany", "SingleOrDefault", "ThenBy", "ThenByDescending", "ToDictionary",
        "ToHashSet", "ToList", "ToLookup",
    ];

    private static readonly string[] s_linqNamesWithLambda =
    [
        "Aggregate", "All", "Any", "Average", "Count", "First", "Last", "Max", "MaxBy", "Min", "MinBy", "Select",
        "Single", "SkipWhile", "Sum", "TakeWhile", "Where", "Zip",
    ];

    public static IEnumerable<Violation> StrayNamespaces(SourceFile file)
    {
        var folders = file.Path.Split('/')[..^1];
        if (!file.IsCSharp || folders.Length == 0 || !s_rootNamespaces.TryGetValue(folders[0], out var root))
        {
            yield break;
        }

        var expected = string.Join('.', folders[1..].Prepend(root));
        foreach (var member in file.Unit.Members)
        {
            if (member is FileScopedNamespaceDeclarationSyntax scope && scope.Name.ToString() == expected)
            {
                continue;
            }

            if (member is BaseNamespaceDeclarationSyntax or BaseTypeDeclarationSyntax or DelegateDeclarationSyntax)
            {
                yield return file.At(member, $"the folder asks for: namespace {expected};");
            }
        }
    }

    public static IEnumerable<Violation> StorageThatKnowsTheServer(SourceFile file)
    {
        if (!file.IsUnder("storage") || !(file.IsCSharp || file.Extension == ".csproj"))
        {
            yield break;
        }

        for (var i = 0; i < file.Lines.Count; i++)
        {
            if (file.Lines[i].Contains("Strata.Server", StringComparison.Ordinal))
            {
                yield return new(file.Path, i + 1, "storage names Strata.Server");
            }
        }
    }

    public static IEnumerable<Violation> WaitsOnTheDataPath(SourceFile file) =>
        IsDataPath(file)
            ? file.Unit.DescendantNodesAndTokens()
                .Select(node => (Node: node, What: WaitIn(node)))
                .Where(found => found.What is not null)
                .Select(found => file.At(found.Node.GetLocation()!, $"{found.What} on the data path"))
            : [];

    public static IEnumerable<Violation> LinqOnTheDataPath(SourceFile file) =>
        IsDataPath(file)
            ? file.Unit.DescendantNodes()
                .Where(IsLinq)
                .Select(node => file.At(node, "LINQ on the data path"))
            : [];

    private static bool IsDataPath(SourceFile file) =>
        file.IsCSharp
        && ((file.IsUnder("storage") && !file.IsUnder("storage/Devices"))
            || file.IsUnder("server/Network") || file.IsUnder("server/Resp") || file.IsUnder("server/Sessions"));

    private static string? WaitIn(SyntaxNodeOrToken node) =>
        node.Kind() switch
        {
            SyntaxKind.AsyncKeyword => "async",
            SyntaxKind.AwaitKeyword => "await",
            SyntaxKind.LockKeyword => "lock",
            SyntaxKind.SimpleMemberAccessExpression
                when node.AsNode() is MemberAccessExpressionSyntax access && access.Expression.ToString() == "Task"
                => "Task",
            _ => null,
        };

    private static bool IsLinq(SyntaxNode node) =>
        node switch
        {
            QueryExpressionSyntax => true,
            UsingDirectiveSyntax directive => directive.Name?.ToString() == "System.Linq",
            InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } call =>
                access.Expression.ToString() == "Enumerable"
                || (s_linqNames.Contains(access.Name.Identifier.Text)
                    && access.Expression.ToString() != "MemoryMarshal")
                || (s_linqNamesWithLambda.Contains(access.Name.Identifier.Text) && TakesLambda(call)),
            _ => false,
        };

    private static bool TakesLambda(InvocationExpressionSyntax call) =>
        call.ArgumentList.Arguments.Any(argument => argument.Expression is LambdaExpressionSyntax);
}
