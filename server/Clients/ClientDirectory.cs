using System.Collections.Concurrent;

namespace Strata.Server.Clients;

/// <summary>The clients of all workers by their numbers. Any thread.</summary>
internal sealed class ClientDirectory
{
    private readonly ConcurrentDictionary<long, Session> _clients = new();

    /// <summary>A client has come.</summary>
    public void Add(Session client) => _clients[client.Id] = client;

    /// <summary>A client has gone.</summary>
    public void Remove(Session client) => _clients.TryRemove(client.Id, out _);

    /// <summary>A client by its number, of whichever worker; null where there is none. All that other threads may do
    /// with it is to tell its worker something.</summary>
    public Session? Find(long id) => _clients.GetValueOrDefault(id);
}
