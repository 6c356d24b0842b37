using Strata.Server.Options;
using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Persistence;

/// <summary>
/// Loads an RDB file into empty shards, a slice at a time, on one worker's thread that holds all leases all the while.
/// What has expired is passed over, unless more of the data is to come: a later change may keep it. At <c>maxmemory</c>
/// keys give way as the policy says; where none may, the data is loaded all the same, as by Redis.
/// </summary>
internal sealed class RdbLoader : IDisposable
{
    private const int KeysBetweenLooks = 64;
    private const int StepEffort = 4096;

    private static readonly Change s_loaded = new(KeyEvent.Set, author: null);

    private readonly ServerContext _server;
    private readonly LoadingState _state;
    private readonly Func<byte[], string?> _loadFunction;
    private readonly FileSource _source;
    private readonly RdbFileReader _reader;
    private readonly CollectionLimits _limits;
    private readonly int _worker;
    private readonly bool _keepsExpired;
    private bool _isAtValue;
    private int _nextToGiveUp;

    /// <summary>Opens a file.</summary>
    /// <param name="server">The server.</param>
    /// <param name="state">Where progress is told.</param>
    /// <param name="path">The file.</param>
    /// <param name="worker">The worker whose thread loads.</param>
    /// <param name="keepsExpired">Whether keys are loaded whose time has come.</param>
    /// <param name="loadFunction">Loads a library of functions; gives what is wrong with it, or null.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    public RdbLoader(
        ServerContext server,
        LoadingState state,
        string path,
        int worker,
        bool keepsExpired,
        Func<byte[], string?> loadFunction)
    {
        var options = server.Configuration.Current;
        _server = server;
        _state = state;
        _worker = worker;
        _keepsExpired = keepsExpired;
        _loadFunction = loadFunction;
        _limits = LimitsOf(options);
        _source = new FileSource(path);
        _reader = new RdbFileReader(_source, server.Shards.Budget, options.RdbChecksum);
    }

    /// <summary>Bytes read so far: once all is loaded, where what follows the RDB begins.</summary>
    public long Offset => _reader.Offset;

    private MemoryBudget Budget => _server.Shards.Budget;

    /// <summary>Loads some of the file.</summary>
    /// <param name="nowMs">The time, milliseconds since 1970.</param>
    /// <param name="deadline">Until when.</param>
    /// <returns>Whether all of it is loaded.</returns>
    /// <exception cref="RdbException">The file is damaged, or has what this server has not.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="MemoryExhaustedException">There is no memory for what is in it.</exception>
    public bool Step(long nowMs, in Deadline deadline)
    {
        do
        {
            for (var i = 0; i < KeysBetweenLooks; i++)
            {
                if (!TryMakeRoom(nowMs))
                {
                    return false; // Pages are on their way to the device.
                }

                if (!TryNext(nowMs))
                {
                    _state.LoadedBytes = _reader.Offset;
                    return true;
                }
            }

            _state.LoadedBytes = _reader.Offset;
        }
        while (!deadline.HasPassed);
        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isAtValue)
        {
            _reader.Value.Abandon();
        }

        _reader.Dispose();
        _source.Dispose();
    }

    private static CollectionLimits LimitsOf(ServerOptions options) => new(
        new HashLimits(options.HashMaxListpackEntries, options.HashMaxListpackValue),
        new ListpackLimit(options.ListMaxListpackSize),
        new SetLimits(
            options.SetMaxIntsetEntries, options.SetMaxListpackEntries, options.SetMaxListpackValue),
        new SortedSetLimits(options.ZsetMaxListpackEntries, options.ZsetMaxListpackValue));

    /// <summary>Loads the next item of the file.</summary>
    /// <returns>False at its end.</returns>
    private bool TryNext(long nowMs)
    {
        switch (_reader.Next())
        {
            case RdbItem.End:
                return false;
            case RdbItem.Function:
                var offset = _reader.Offset;
                if (_loadFunction(_reader.FunctionCode.ToArray()) is { } problem)
                {
                    throw new RdbException($"a library of functions cannot be loaded ({problem})", offset);
                }

                break;
            case RdbItem.Key:
                LoadKey(nowMs);
                break;
        }

        return true;
    }

    private unsafe void LoadKey(long nowMs)
    {
        if (!_server.Databases.Has(_reader.Database))
        {
            throw new RdbException(
                $"the file has keys of database {_reader.Database}, and the server only {_server.Databases.Count} "
                + "databases: raise 'databases'", _reader.Offset);
        }

        if (!_keepsExpired && _reader.ExpiryMs >= 0 && _reader.ExpiryMs < nowMs)
        {
            _reader.SkipValue();
            _state.ExpiredKeys++;
            return;
        }

        var physical = _server.Databases.PhysicalOf(_reader.Database);
        ulong hash;
        fixed (byte* bytes = _reader.Key)
        {
            hash = KeyHash.Compute(bytes, _reader.Key.Length, physical);
        }

        var shard = _server.Shards.Of(hash);
        _isAtValue = true;
        _reader.BeginValue(shard, _limits);
        while (!_reader.Value.Step(StepEffort))
        {
            // Each goes on.
        }

        // By now the key's bytes may lie elsewhere.
        fixed (byte* bytes = _reader.Key)
        {
            Put(shard, new Key(bytes, _reader.Key.Length, physical, hash), nowMs);
        }
    }

    private void Put(Shard shard, in Key key, long nowMs)
    {
        if (_reader.Value.IsEmpty)
        {
            _reader.Value.Abandon();
        }
        else if (shard.Index.MayContain(key.Hash)
            && shard.Find(key, nowMs, cold: null, out _) is FindResult.Found or FindResult.Expired)
        {
            throw new RdbException("a key is there twice", _reader.Offset);
        }
        else
        {
            _ = _reader.Value.Put(key, existing: default, _reader.ExpiryMs, s_loaded);
            _state.Keys++;
        }

        _isAtValue = false;
        shard.Settle(_worker, nowMs);
    }

    /// <summary>Makes room where memory is over its limit, and something may go.</summary>
    /// <returns>False when that must be waited for.</returns>
    private bool TryMakeRoom(long nowMs)
    {
        var shards = _server.Shards;
        for (var refusals = 0; Budget.IsOver && refusals < shards.Count;)
        {
            _nextToGiveUp = (_nextToGiveUp + 1) % shards.Count;
            var isDone = shards[_nextToGiveUp].TryGiveUp(_worker, nowMs);
            refusals = isDone ? 0 : refusals + 1;
        }

        return !Budget.IsOver || shards.Tier == null || !Budget.IsFarOver;
    }
}
