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

    // What is another at each run, and the few places that may have it: the platform, and what no run is repeated with.
    private static readonly string[] s_unrepeatable =
    [
        "DateTime.Now", "DateTime.Today", "DateTime.UtcNow", "DateTimeOffset.Now", "DateTimeOffset.UtcNow",
        "Environment.TickCount", "Environment.TickCount64", "Guid.CreateVersion7", "Guid.NewGuid", "Libc.GetRandom",
        "Random.Shared", "Stopwatch.GetElapsedTime", "Stopwatch.GetTimestamp", "Stopwatch.StartNew",
        "TimeProvider.System",
    ];

    private static readonly string[] s_unrepeatableTypes = ["Random", "Stopwatch"];

    private static readonly string[] s_mayBeUnrepeatable =
    [
        "server/Hosting/Health/", // It asks another process, for as long as that may take.
        "server/Hosting/Logging/", // A line of the log tells when it was written.
        "storage/Devices/Files/", // Names of temporary files.
        "storage/Devices/MemoryQueue.cs", // Its delays are compared with the kernel's timer.
        "storage/Runtime/Platform.cs", // The machine's clock and random numbers come in here.
    ];

    public static IEnumerable<Violation> Unrepeatable(SourceFile file) =>
        file.IsCSharp && (file.IsUnder("storage") || file.IsUnder("server"))
            && !s_mayBeUnrepeatable.Any(place => file.Path.StartsWith(place, StringComparison.Ordinal))
            ? file.Unit.DescendantNodes()
                .Select(node => (Node: node, What: UnrepeatableIn(node)))
                .Where(found => found.What is not null)
                .Select(found => file.At(found.Node, $"{found.What}: ask the Platform"))
            : [];

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
            || file.IsUnder("server/Network") || file.IsUnder("server/Resp") || file.IsUnder("server/Execution"));

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

    private static string? UnrepeatableIn(SyntaxNode node) =>
        node switch
        {
            MemberAccessExpressionSyntax access
                when s_unrepeatable.Any(name => IsOrEndsWith(access.ToString(), name)) => access.ToString(),
            NameSyntax { Parent: not MemberAccessExpressionSyntax } name when name.ToString() == "RandomNumberGenerator"
                => name.ToString(),
            MemberAccessExpressionSyntax access when IsOrEndsWith(access.Expression.ToString(), "RandomNumberGenerator")
                => access.ToString(),
            ObjectCreationExpressionSyntax made when s_unrepeatableTypes.Contains(made.Type.ToString())
                => $"new {made.Type}",
            ImplicitObjectCreationExpressionSyntax made when s_unrepeatableTypes.Contains(DeclaredTypeOf(made))
                => $"new {DeclaredTypeOf(made)}",
            _ => null,
        };

    private static bool IsOrEndsWith(string text, string name) =>
        text == name || text.EndsWith("." + name, StringComparison.Ordinal);

    /// <summary>The type that <c>new()</c> makes, where it stands beside it.</summary>
    private static string? DeclaredTypeOf(ImplicitObjectCreationExpressionSyntax made) =>
        made.Parent switch
        {
            EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax variable } }
                => variable.Type.ToString(),
            EqualsValueClauseSyntax { Parent: PropertyDeclarationSyntax property } => property.Type.ToString(),
            ArrowExpressionClauseSyntax { Parent: MethodDeclarationSyntax method } => method.ReturnType.ToString(),
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
