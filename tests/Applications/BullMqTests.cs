using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>BullMQ's queues, whose events come by a stream: tests/Applications/Node/bullmq.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class BullMqTests(ServerKind kind) : NodeFixture(kind, "bullmq.js", "bullmq")
{
    [TestCase("jobsRunOnce")]
    [TestCase("delayed")]
    [TestCase("retried")]
    [TestCase("ordered")]
    [TestCase("flows")]
    [TestCase("events")]
    [TestCase("limited")]
    [TestCase("stalled")]
    [TestCase("scheduled")]
    [TestCase("paused")]
    [TestCase("administration")]
    public void Scenario(string name) => RunScenario(name);
}
