using Strata.Server.Commands.Model;
using Strata.Server.Runtime;
using Strata.Storage.Index;
using Strata.Storage.Interests;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Clients.Transactions;

/// <summary>The keys a client watches, and whether one of them changed since. Begun by WATCH and given up as a whole;
/// changes are told from any worker's thread.</summary>
internal sealed class KeyWatch : IChangeWatcher
{
    private readonly Worker _owner;
    private readonly KeyInterestSet<WatchedKey> _keys = new();
    private readonly WatchEpoch _epoch;
    private readonly long _since;
    private volatile bool _isTouched;

    public KeyWatch(Worker owner, WatchEpoch epoch)
    {
        _owner = owner;
        _epoch = epoch;
        _since = epoch.Number;
    }

    /// <summary>Memory of the keys' entries, bytes.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>How many keys there are.</summary>
    public int Count => _keys.Count;

    /// <summary>Whether a change was told.</summary>
    public bool IsTouched => _isTouched || _epoch.Number != _since;

    /// <inheritdoc/>
    public void OnChange() => _isTouched = true;

    /// <summary>Watches a key, whose shard's lease is held, unless it is watched already.</summary>
    public void Add(Shard shard, in Key key, bool isExpired)
    {
        if (_keys.Contains(key))
        {
            return;
        }

        var added = new WatchedKey(key, this, _owner, isExpired);
        added.Enter(shard.Watches);
        _keys.Add(added);
        SizeBytes += added.SizeBytes;
    }

    /// <summary>Names the shards of the keys.</summary>
    public void AddShards(IShardSet shards)
    {
        foreach (var watched in _keys)
        {
            shards.Add(watched.Key);
        }
    }

    /// <summary>Looks for keys that have expired meanwhile. The leases must be held.</summary>
    /// <returns>Whether a key changed.</returns>
    public bool IsTouchedNow(CommandContext context)
    {
        if (IsTouched)
        {
            return true;
        }

        foreach (var watched in _keys)
        {
            // Nobody has come by one whose time has come. It is left to who does: it may have to stay (CLIENT PAUSE).
            var found = context.ShardOf(watched.Key).Find(watched.Key, context.NowMs, context.Cold, out _);
            _isTouched |= found == FindResult.Expired && !watched.WasExpired;
        }

        return _isTouched;
    }

    /// <summary>Watches nothing any more, when the worker has come to it. What is told meanwhile concerns nobody.
    /// </summary>
    public void End(WorkerContext worker) => worker.GiveUpInSteps(_keys.Count, i => _keys[i].Leave());
}
