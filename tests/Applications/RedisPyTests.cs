using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>redis-py: tests/Applications/Python/redis_py.py.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class RedisPyTests(ServerKind kind) : PythonFixture(kind, "redis_py.py", "redis", "redis.asyncio")
{
    [TestCase("values")]
    [TestCase("collections")]
    [TestCase("resp3")]
    [TestCase("pipeline")]
    [TestCase("transaction")]
    [TestCase("messages")]
    [TestCase("scanning")]
    [TestCase("waiting")]
    [TestCase("threads")]
    [TestCase("coroutines")]
    [TestCase("reconnecting")]
    [TestCase("lock_is_exclusive")]
    [TestCase("lock_is_released")]
    [TestCase("script")]
    [TestCase("caching")]
    public void Scenario(string name) => RunScenario(name);
}
