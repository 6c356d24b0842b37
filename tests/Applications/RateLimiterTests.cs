using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>rate-limiter-flexible over either client library: tests/Applications/Node/rate-limiter.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.OlderNodeLibraries))]
internal sealed class RateLimiterTests(ServerKind kind, string package) : NodeFixture(kind, "rate-limiter.js", package)
{
    [TestCase("exactAmongProcesses")]
    [TestCase("countsAndWindows")]
    [TestCase("withoutEnd")]
    [TestCase("blocks")]
    [TestCase("bursts")]
    [TestCase("queues")]
    [TestCase("ownScript")]
    public void Scenario(string name) => RunScenario(name);
}
