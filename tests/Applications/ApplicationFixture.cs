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

    /// <summary>Skips the test as long as the server under test runs no scripts; with them it runs by itself.</summary>
    /// <param name="what">Who sends the script.</param>
    protected void RequireScripting(string what)
    {
        if (Call("COMMAND", "INFO", "EVAL").Items[0].IsNull)
        {
            Assert.Ignore($"needs EVAL (scripting): {what}");
        }
    }
}
