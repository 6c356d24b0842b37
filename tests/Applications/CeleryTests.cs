using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Celery with its workers: tests/Applications/Python/celery_shop.py.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class CeleryTests(ServerKind kind) : PythonFixture(kind, "celery_shop.py", "celery", "redis")
{
    [TestCase("tasks_run_once")]
    [TestCase("later")]
    [TestCase("retried")]
    [TestCase("workflows")]
    [TestCase("queues_and_control")]
    [TestCase("prefetched_tasks_are_given_back")]
    [TestCase("results_are_kept_and_forgotten")]
    public void Scenario(string name) => RunScenario(name);
}
