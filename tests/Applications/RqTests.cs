using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>RQ with its workers: tests/Applications/Python/rq_shop.py.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class RqTests(ServerKind kind) : PythonFixture(kind, "rq_shop.py", "rq", "redis")
{
    [TestCase("jobs_run_once")]
    [TestCase("retried")]
    [TestCase("scheduled")]
    [TestCase("dependencies")]
    [TestCase("several_queues")]
    [TestCase("stopped_and_lost")]
    public void Scenario(string name) => RunScenario(name);
}
