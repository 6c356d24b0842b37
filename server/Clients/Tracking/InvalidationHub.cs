using Strata.Server.Messaging;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Index;

namespace Strata.Server.Clients.Tracking;

/// <summary>The way of changes to the workers whose clients may have kept what was changed. Any thread; while no client
/// tracks, nobody listens to changes.</summary>
internal sealed class InvalidationHub
{
    private readonly Lock _lock = new();
    private readonly ServerContext _server;
    private readonly TrackedChanges[] _listeners;
    private volatile WorkerTracking[] _workers = [];

    public InvalidationHub(ServerContext server, ClientDirectory directory)
    {
        _server = server;
        Directory = directory;
        Prefixes = new TrackedPrefixes(server.WorkerCount, server.Shards.Budget);
        _listeners = [.. Enumerable.Range(1, server.Shards.Count)
            .Select(number => new TrackedChanges(this, isLast: number == server.Shards.Count))];
    }

    /// <summary>Whom clients may redirect to what they are told.</summary>
    public ClientDirectory Directory { get; }

    /// <summary>What clients in BCAST mode are told of.</summary>
    public TrackedPrefixes Prefixes { get; }

    /// <summary>A worker got its first client that tracks, which has read nothing yet.</summary>
    public void Add(WorkerTracking worker)
    {
        lock (_lock)
        {
            _workers = [.. _workers, worker];
            if (_workers.Length > 1)
            {
                return;
            }

            for (var i = 0; i < _listeners.Length; i++)
            {
                _server.Shards[i].Changes.Add(_listeners[i]);
            }
        }
    }

    /// <summary>A worker lost its last one.</summary>
    public void Remove(WorkerTracking worker)
    {
        lock (_lock)
        {
            _workers = [.. _workers.Where(other => other != worker)];
            if (_workers.Length > 0)
            {
                return;
            }

            for (var i = 0; i < _listeners.Length; i++)
            {
                _server.Shards[i].Changes.Remove(_listeners[i]);
            }
        }
    }

    /// <summary>A key was changed; its shard's lease is held.</summary>
    /// <param name="key">The key.</param>
    /// <param name="author">Who has done it, or null.</param>
    public void OnChanged(in Key key, IChangeAuthor? author)
    {
        Span<bool> receiving = stackalloc bool[_server.WorkerCount];
        receiving.Clear();
        Prefixes.Mark(key.Span, receiving);
        foreach (var worker in _workers)
        {
            if (receiving[worker.Number] || worker.Filter?.MayHave(key.Hash) == true)
            {
                Tell(worker, key, author);
            }
        }
    }

    /// <summary>All keys of a database, or of all, were changed; all leases are held.</summary>
    public void OnAllChanged()
    {
        foreach (var worker in _workers)
        {
            worker.DropAll();
        }
    }

    private static void Tell(WorkerTracking worker, in Key key, IChangeAuthor? author)
    {
        var header = new MessageHeader { Hash = key.Hash, Client = author?.Id ?? 0, Kind = MessageKind.KeyChanged };
        if (key.Length > ServerLimits.LongestMessageInMailbox || !worker.Mailbox.TryAdd(header, key.Span, default))
        {
            worker.DropAll(); // Of one that is too long, or has found no memory, the name is not told.
        }
    }
}
