using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>socket.io with its Redis adapters over either library: tests/Applications/Node/socket-io.js.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.NodeLibraries))]
internal sealed class SocketIoTests(ServerKind kind, string package) : NodeFixture(kind, "socket-io.js", package)
{
    [TestCase("everybody")]
    [TestCase("everybodySharded")]
    [TestCase("rooms")]
    [TestCase("roomsSharded")]
    [TestCase("management")]
    [TestCase("acknowledgements")]
    [TestCase("betweenServers")]
    [TestCase("everybodyStreams")]
    [TestCase("roomsStreams")]
    [TestCase("managementStreams")]
    [TestCase("acknowledgementsStreams")]
    public void Scenario(string name) => RunScenario(name);
}
