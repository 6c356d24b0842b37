using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Tidy;

/// <summary>docs/SECURITY.md says of each threat which test shows the defence: those that it names exist, and each
/// threat has one.</summary>
internal sealed partial class SecurityDocumentTests
{
    private const int Cells = 3;

    private static readonly string[] s_lines = File.ReadAllLines(RepositoryRoot.Combine("docs", "SECURITY.md"));

    [Test]
    public void Every_test_that_it_names_exists()
    {
        var types = typeof(SecurityDocumentTests).Assembly.GetTypes().ToLookup(static type => type.Name);
        var missing = s_lines.SelectMany(line => TestName().Matches(line))
            .Where(name => !types[name.Groups["type"].Value].Any(type => HasMethod(type, name.Groups["method"])))
            .Select(static name => name.Value);
        Assert.That(missing, Is.Empty);
    }

    [Test]
    public void Every_threat_has_a_test()
    {
        var rows = s_lines.Where(static line => line.StartsWith("| ", StringComparison.Ordinal))
            .Select(static line => line.Trim('|', ' ').Split(" | "))
            .Where(static cells => cells.Length == Cells && cells[0] != "threat").ToList();
        Assert.That(rows, Has.Count.GreaterThan(20));
        var bare = rows.Where(static cells => !TestName().IsMatch(cells[^1])).Select(static cells => cells[0]);
        Assert.That(bare, Is.Empty);
    }

    private static bool HasMethod(Type type, Group method) => !method.Success || type.GetMethod(method.Value) != null;

    [GeneratedRegex(@"`(?<type>[A-Z]\w+Tests)(\.(?<method>\w+))?`")]
    private static partial Regex TestName();
}
