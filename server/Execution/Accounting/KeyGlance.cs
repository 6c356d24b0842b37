using Strata.Server.Diagnostics.Traffic;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Records;

namespace Strata.Server.Execution.Accounting;

/// <summary>Looks at a key in passing, without a lease: at its size, and whether it is there.</summary>
internal sealed unsafe class KeyGlance(ExecutionWorker worker)
{
    private readonly bool _isShared = worker.Server.WorkerCount > 1;

    /// <summary>Looks at a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="bytes">Memory that it takes with its value; 0 where it is not there.</param>
    /// <param name="expiryMs">When it expires, milliseconds since 1970; -1 for never.</param>
    /// <returns>False when that cannot be told at once.</returns>
    public bool TryLook(in Key key, out long bytes, out long expiryMs)
    {
        (bytes, expiryMs) = (0, -1);
        var server = worker.Server;
        var shard = server.Shards.Of(key.Hash);
        if (!ShardLease.IsFree(shard.Lease.ReadVersion()))
        {
            return false; // It may be held by this worker, for long.
        }

        if (_isShared)
        {
            server.Quiescence.BeginReads(worker.Number);
        }

        var version = shard.Lease.ReadVersion();
        var found = shard.Find(key, worker.Worker.NowMs, cold: null, out var record);
        var isThere = found == FindResult.Found;
        bytes = !isThere ? 0 : _isShared ? record.LiveBytes : ShardCollections.WeightOf(record);
        expiryMs = isThere ? record.ExpiryMs : -1;
        return found != FindResult.Cold && ShardLease.IsFree(version) && shard.Lease.IsUnchanged(version);
    }

    /// <summary>Whether a key is there that is hot; as far as that can be told at once.</summary>
    public bool Has(HotKey hot)
    {
        if (!hot.IsWhole)
        {
            return true;
        }

        fixed (byte* name = hot.Bytes)
        {
            return !TryLook(new Key(name, hot.Length, hot.Database, hot.Hash), out var bytes, out _) || bytes > 0;
        }
    }
}
