using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>node-redis: tests/Applications/Node/node-redis.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.NodeRedis))]
internal sealed class NodeRedisTests(ServerKind kind, string package) : NodeFixture(kind, "node-redis.js", package)
{
    [TestCase("values")]
    [TestCase("collections")]
    [TestCase("collectionsResp3")]
    [TestCase("transaction")]
    [TestCase("pipelining")]
    [TestCase("messages")]
    [TestCase("messagesResp3")]
    [TestCase("scanning")]
    [TestCase("waiting")]
    [TestCase("reconnecting")]
    [TestCase("pool")]
    [TestCase("script")]
    [TestCase("caching")]
    public void Scenario(string name) => RunScenario(name);
}
