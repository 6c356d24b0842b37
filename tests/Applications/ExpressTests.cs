using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Sessions of Express in connect-redis: tests/Applications/Node/express.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class ExpressTests(ServerKind kind) : NodeFixture(kind, "express.js", "redis")
{
    [TestCase("shared")]
    [TestCase("sliding")]
    [TestCase("ended")]
    [TestCase("administration")]
    public void Scenario(string name) => RunScenario(name);
}
