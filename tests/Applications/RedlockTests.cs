using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Locks of Redlock, versions 4 and 5: tests/Applications/Node/redlock.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Redlock))]
internal sealed class RedlockTests(ServerKind kind, string package) : NodeFixture(kind, "redlock.js", package)
{
    [TestCase("processesExcludeEachOther")]
    [TestCase("processesExcludeEachOtherByQuorum")]
    [TestCase("lockIsHeldAndReleased")]
    [TestCase("lockIsHeldAndReleasedByQuorum")]
    [TestCase("lockIsExtended")]
    [TestCase("lockExpires")]
    [TestCase("minorityDoesNotMatter")]
    public void Scenario(string name) => RunScenario(name);
}
