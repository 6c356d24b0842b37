using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>bee-queue's queues: tests/Applications/Node/bee-queue.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class BeeQueueTests(ServerKind kind) : NodeFixture(kind, "bee-queue.js", "bee-queue")
{
    [TestCase("jobsRunOnce")]
    [TestCase("delayed")]
    [TestCase("retried")]
    [TestCase("progress")]
    [TestCase("stalled")]
    [TestCase("administration")]
    public void Scenario(string name) => RunScenario(name);
}
