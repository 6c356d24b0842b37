namespace Strata.Tests.Support;

/// <summary>Several connections to one server, which deals them out over its workers.</summary>
public sealed class ConnectionSet : IDisposable
{
    /// <summary>Connects.</summary>
    public ConnectionSet(ServerProcess server, int count) =>
        All = [.. Enumerable.Range(0, count).Select(_ => server.Connect())];

    public IReadOnlyList<RespConnection> All { get; }

    public void Dispose()
    {
        foreach (var connection in All)
        {
            connection.Dispose();
        }
    }
}
