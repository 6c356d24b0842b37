using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>A site on django-redis: tests/Applications/Python/django_shop.py.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class DjangoTests(ServerKind kind) : PythonFixture(kind, "django_shop.py", "django_redis")
{
    [TestCase("values")]
    [TestCase("several")]
    [TestCase("expiry")]
    [TestCase("sessions")]
    [TestCase("pages")]
    [TestCase("lock_is_exclusive")]
    [TestCase("counters")]
    [TestCase("lock_is_released")]
    [TestCase("counters_are_exact")]
    public void Scenario(string name) => RunScenario(name);
}
