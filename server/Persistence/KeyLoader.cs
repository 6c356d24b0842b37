using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Persistence;

/// <summary>Loads keys out of blocks into shards that nobody else uses; one for each worker.</summary>
internal sealed unsafe class KeyLoader : IDisposable
{
    // As many cache lines as a core waits for at a time, about.
    private const int KeysAhead = 8;
    private const int StepEffort = 4096;

    private static readonly Change s_loaded = new(KeyEvent.Set, author: null);

    private readonly ServerContext _server;
    private readonly bool _replaces;
    private readonly CollectionLimits _limits;
    private readonly RdbInput _input = new(null, 0);
    private readonly RdbValueReader _value;

    /// <summary>One that has loaded nothing yet.</summary>
    /// <param name="server">The server.</param>
    /// <param name="limits">Up to where collections are packed.</param>
    /// <param name="replaces">Whether a key takes the place of one that is there; else that is an error.</param>
    public KeyLoader(ServerContext server, in CollectionLimits limits, bool replaces)
    {
        _replaces = replaces;
        _server = server;
        _limits = limits;
        _value = new RdbValueReader(server.Shards.Budget);
    }

    /// <summary>Loads all keys of a block.</summary>
    /// <param name="block">The block, to whose group the caller alone has access.</param>
    /// <param name="worker">The worker whose thread this is.</param>
    /// <param name="nowMs">The time, milliseconds since 1970.</param>
    /// <returns>How many had a value, and so are there.</returns>
    /// <exception cref="RdbException">A value is damaged, or a key there already.</exception>
    /// <exception cref="IOException">What may be the same key cannot be read back from the device.</exception>
    /// <exception cref="Storage.Memory.MemoryExhaustedException">There is no memory.</exception>
    public int Load(LoadBlock block, int worker, long nowMs)
    {
        var loaded = 0;
        for (var i = 0; i < KeysAhead; i++)
        {
            Prefetch(block);
        }

        while (block.TakeNext(out var name) is var key && key != null)
        {
            Prefetch(block);
            loaded += TryLoad(*key, name, worker, nowMs) ? 1 : 0;
        }

        return loaded;
    }

    /// <summary>Makes a value that was read a key's.</summary>
    /// <returns>Whether it has a value; an empty collection is none.</returns>
    /// <inheritdoc cref="Load"/>
    public bool TryPut(Shard shard, RdbValueReader value, in Key key, in LoadedKey loaded, int worker, long nowMs)
    {
        var isEmpty = value.IsEmpty;
        if (isEmpty)
        {
            value.Abandon();
        }
        else
        {
            var existing = default(Record);
            if (shard.Index.MayContain(key.Hash) && IsThere(shard, key, worker, nowMs, ref existing) && !_replaces)
            {
                throw new RdbException("a key is there twice", loaded.ValueOffset);
            }

            var record = value.Put(key, existing, loaded.ExpiryMs, s_loaded);
            RecordUsage.Set(shard, key, record, loaded.Info.IdleSeconds, loaded.Info.Frequency, nowMs);
        }

        shard.Settle(worker, nowMs);
        return !isEmpty;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _value.Free();
        _input.Dispose();
    }

    private bool IsThere(Shard shard, in Key key, int worker, long nowMs, ref Record existing)
    {
        if (shard.Find(key, nowMs, cold: null, out var found) is FindResult.Found or FindResult.Expired)
        {
            existing = found;
            return true;
        }

        return shard.HasCold && IsOnDevice(shard, key, _server.Shards.Tier!.Workers[worker]!, nowMs);
    }

    /// <summary>Whether the key of a record that is on the device alone is this one, which seldom has to be asked: of
    /// millions of other keys one looks like it to the index.</summary>
    private static bool IsOnDevice(Shard shard, in Key key, TierWorker tier, long nowMs)
    {
        var cold = tier.RentSet();
        try
        {
            var found = shard.Find(key, nowMs, cold, out _);
            if (cold.HasUnread)
            {
                cold.ReadNow();
                found = shard.Find(key, nowMs, cold, out _);
            }

            return cold.Failure != ColdReadFailure.None
                ? throw new IOException("what may be a key that is there twice cannot be read back from the disk")
                : found is FindResult.Found or FindResult.Expired;
        }
        finally
        {
            cold.Return();
        }
    }

    private bool TryLoad(in LoadedKey loaded, byte* name, int worker, long nowMs)
    {
        var shard = _server.Shards.Of(loaded.Hash);
        _input.Reset(name + loaded.NameBytes, loaded.ValueBytes, loaded.ValueOffset);
        _value.Begin(loaded.Type, _input, shard, _limits);
        try
        {
            while (!_value.Step(StepEffort))
            {
                // Each goes on.
            }

            var key = new Key(name, loaded.NameBytes, loaded.Database, loaded.Hash);
            return TryPut(shard, _value, key, loaded, worker, nowMs);
        }
        catch
        {
            _value.Abandon();
            throw;
        }
    }

    private void Prefetch(LoadBlock block)
    {
        var key = block.LookAhead();
        if (key != null)
        {
            _server.Shards.Of(key->Hash).Index.Prefetch(key->Hash);
        }
    }
}
