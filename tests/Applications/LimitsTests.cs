using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>limits and Flask-Limiter: tests/Applications/Python/limiters.py.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class LimitsTests(ServerKind kind) : PythonFixture(kind, "limiters.py", "limits", "flask_limiter")
{
    [TestCase("fixed_window_is_exact")]
    [TestCase("moving_window_is_exact")]
    [TestCase("elastic_window_is_exact")]
    [TestCase("windows_end")]
    [TestCase("counts_and_statistics")]
    [TestCase("storage_is_reset")]
    [TestCase("flask_site")]
    public void Scenario(string name) => RunScenario(name);
}
