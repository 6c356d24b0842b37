using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Bull's queues: tests/Applications/Node/bull.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class BullTests(ServerKind kind) : NodeFixture(kind, "bull.js", "bull")
{
    [TestCase("jobsRunOnce")]
    [TestCase("delayed")]
    [TestCase("retried")]
    [TestCase("ordered")]
    [TestCase("limited")]
    [TestCase("stalled")]
    [TestCase("repeated")]
    [TestCase("paused")]
    [TestCase("administration")]
    public void Scenario(string name) => RunScenario(name);
}
