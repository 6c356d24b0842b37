using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// What the fixtures of real programs share: one server with default settings, emptied before each test, and whether it
/// runs scripts.
/// </summary>
[Category("Long")]
internal abstract class ApplicationFixture(ServerKind kind)
{
    private ServerProcess? _server;

    protected ServerProcess Server => _server!;

    [OneTimeSetUp]
    public void StartServer() => _server = ServerProcess.Start(kind);

    [OneTimeTearDown]
    public void StopServer() => _server?.Dispose();

    [SetUp]
    public void Clear() => Call("FLUSHALL");

    /// <summary>Sends one command by a connection of its own.</summary>
    protected RespValue Call(params string[] arguments)
    {
        using var connection = Server.Connect();
        return connection.Call(arguments);
    }
}
