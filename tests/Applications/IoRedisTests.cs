using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>ioredis: tests/Applications/Node/ioredis.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.IoRedis))]
internal sealed class IoRedisTests(ServerKind kind, string package) : NodeFixture(kind, "ioredis.js", package)
{
    [TestCase("values")]
    [TestCase("collections")]
    [TestCase("pipeline")]
    [TestCase("autoPipelining")]
    [TestCase("transaction")]
    [TestCase("messages")]
    [TestCase("scanning")]
    [TestCase("waiting")]
    [TestCase("reconnecting")]
    [TestCase("script")]
    public void Scenario(string name) => RunScenario(name);
}
