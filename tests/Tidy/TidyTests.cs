using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Tidy;

/// <summary>Holds the repository's files to the rules, one test a rule.</summary>
[TestFixture]
internal sealed class TidyTests
{
    private static readonly Lazy<IReadOnlyList<SourceFile>> s_files =
        new(() => SourceFile.LoadAll(RepositoryRoot.Path));

    private static readonly string[] s_known =
        ["build.sh", ".ci/run", "server/Program.cs", "tests/Tidy/TidyTests.cs"];

    [Test]
    public void The_rules_see_the_repository()
    {
        var paths = s_files.Value.Select(file => file.Path).ToList();

        Assert.That(paths, Is.SupersetOf(s_known));
        Assert.That(paths, Has.None.Contains("/obj/"));
    }

    [TestCaseSource(nameof(Rules))]
    public void The_sources_keep(TidyRule rule)
    {
        var violations = s_files.Value.SelectMany(rule.Find).ToList();

        if (violations.Count > 0)
        {
            Assert.Fail(string.Join(Environment.NewLine, violations.Prepend<object>($"{rule.Name}: {rule.Demand}.")));
        }
    }

    private static IEnumerable<TestCaseData> Rules() =>
        TidyRules.All.Select(rule => new TestCaseData(rule).SetArgDisplayNames(rule.Name));
}
