using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Scenarios of a Node.js program over a package that scripts/setup.sh installed to out/node.</summary>
internal abstract class NodeFixture(ServerKind kind, string program, string package) : ScenarioFixture(kind)
{
    /// <summary>The first version of Node.js that the newest ioredis and node-redis run on.</summary>
    private const int MinimumMajorOfNewest = 20;

    private static readonly string[] s_newest = ["ioredis", "redis"];
    private static readonly string s_packages = RepositoryRoot.Combine("out", "node", "node_modules");
    private static readonly Lazy<int?> s_major = new(FindMajor);

    [OneTimeSetUp]
    public void RequireNode()
    {
        if (s_major.Value is not { } major)
        {
            Assert.Ignore("There is no node on the PATH: install Node.js 18.19 or later to run this.");
        }
        else if (major < MinimumMajorOfNewest && s_newest.Contains(package))
        {
            Assert.Ignore($"The newest {package} needs Node.js {MinimumMajorOfNewest}, here is {major}.");
        }

        if (!Directory.Exists(s_packages))
        {
            Assert.Ignore("The packages of tests/Applications/Node aren't installed: ./test.sh does it, with npm.");
        }
    }

    protected override (int ExitCode, string Output) Start(string scenario) =>
        ProgramRun.Run(
            "node",
            [
                RepositoryRoot.Combine("tests", "Applications", "Node", program),
                .. scenario == "list" ? [scenario] : new[] { package, Port, scenario },
            ],
            ("NODE_PATH", s_packages));

    private static int? FindMajor()
    {
        if (ProgramRun.Find("node") is null)
        {
            return null;
        }

        var (_, version) = ProgramRun.Run("node", ["--version"]); // "v20.20.2"
        return int.Parse(version.AsSpan(1, version.IndexOf('.') - 1), CultureInfo.InvariantCulture);
    }
}
