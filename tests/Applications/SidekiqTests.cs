using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Sidekiq with its workers and its scheduler: tests/Applications/Ruby/sidekiq_shop.rb.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class SidekiqTests(ServerKind kind) : RubyFixture(kind, "sidekiq_shop.rb", "sidekiq")
{
    [TestCase("jobs_run_once")]
    [TestCase("scheduled")]
    [TestCase("retried")]
    [TestCase("dead")]
    [TestCase("given_back")]
    [TestCase("queues_and_administration")]
    public void Scenario(string name) => RunScenario(name);
}
