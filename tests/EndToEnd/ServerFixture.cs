using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// What end-to-end fixtures share: one server with default settings for all their tests. Most run against Redis
/// too, which proves that what they expect is what Redis does.
/// </summary>
public abstract class ServerFixture(ServerKind kind)
{
    private ServerProcess? _server;

    protected ServerKind Kind { get; } = kind;

    /// <summary>The fixture's own server; tests leave its settings as they were.</summary>
    protected ServerProcess Server => _server!;

    [OneTimeSetUp]
    public void StartServer() => _server = ServerProcess.Start(Kind);

    [OneTimeTearDown]
    public void StopServer() => _server?.Dispose();

    /// <summary>A server of the test's own, with these flags.</summary>
    protected ServerProcess StartWith(params string[] flags) => ServerProcess.Start(Kind, flags);
}
