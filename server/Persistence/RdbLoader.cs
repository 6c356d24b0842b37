using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Persistence;

/// <summary>
/// Loads an RDB file into shards whose leases are held all the while, a slice at a time, on all workers' threads. The
/// first worker's reads the file: it passes values without looking into them, and hands them in blocks to the others,
/// each of which loads the shards whose home it is, and helps others when it has nothing else to do. Where there are
/// enough blocks the reader loads, too. What has expired is passed over, unless more of the data is to come: a later
/// change may keep it. At <c>maxmemory</c> keys give way as the policy says; where none may, the data is loaded all the
/// same, as by Redis.
/// </summary>
internal sealed class RdbLoader : IDisposable
{
    private const int ItemsBetweenLooks = 64;
    private const int StepEffort = 4096;

    // The worker that reads the file.
    private const int Reader = 0;

    private readonly ServerContext _server;
    private readonly LoadingState _state;
    private readonly RdbLoadOptions _options;
    private readonly IRdbSource _source;
    private readonly CheckpointSource? _checkpoint;
    private readonly RdbFileReader _reader;
    private readonly CollectionLimits _limits;
    private readonly LoadTurns _turns;
    private readonly LoadRoom _room;
    private readonly LoadQueues _queues;
    private readonly KeyLoader?[] _loaders;
    private readonly LoadBlock?[] _filled;
    private readonly LoadBlock?[] _inHand;
    private LoadBlock? _spare;
    private LoadedKey _long;
    private LongState _longState;
    private bool _isRead;
    private volatile bool _isStopped;
    private int _isReaderWaiting;

    /// <summary>Opens a file.</summary>
    /// <param name="server">The server.</param>
    /// <param name="state">Where progress is told.</param>
    /// <param name="path">The file.</param>
    /// <param name="options">How it is loaded.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    public RdbLoader(ServerContext server, LoadingState state, string path, RdbLoadOptions options)
    {
        var configuration = server.Configuration.Current;
        _server = server;
        _state = state;
        _options = options;
        _limits = PackingLimits.Of(configuration);
        _checkpoint = options.Kept == null ? null : new CheckpointSource(path, options.Kept.Recovery);
        _source = (IRdbSource?)_checkpoint ?? new FileSource(path);
        _reader = new RdbFileReader(
            _source, server.Shards.Budget, configuration.RdbChecksum && !server.SkipsChecksums);
        _turns = new LoadTurns(server.WorkerCount);
        _room = new LoadRoom(server, _turns);
        _queues = new LoadQueues(server.WorkerCount, server.Shards.Budget);
        _loaders = new KeyLoader?[server.WorkerCount];
        _filled = new LoadBlock?[server.WorkerCount];
        _inHand = new LoadBlock?[server.WorkerCount];
        if (server.Shards.Tier is { } tier)
        {
            tier.LongHold = _turns;
        }
    }

    /// <summary>What becomes of a value that is not handed over.</summary>
    private enum LongState
    {
        None,

        /// <summary>Its shard's other keys are loaded first.</summary>
        Waits,

        /// <summary>Its group is taken, and nothing of it is read.</summary>
        IsTaken,

        /// <summary>It is read, and its group taken.</summary>
        IsRead,
    }

    /// <summary>Bytes read so far: once all is loaded, where what follows the RDB begins.</summary>
    public long Offset => _checkpoint?.Length ?? _reader.Offset;

    /// <summary>Reads some of the file, and loads; on the first worker.</summary>
    /// <param name="nowMs">The time, milliseconds since 1970.</param>
    /// <param name="deadline">Until when.</param>
    /// <exception cref="RdbException">The file is damaged, or has what this server has not.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="MemoryExhaustedException">There is no memory for what is in it.</exception>
    public LoadStep Read(long nowMs, in Deadline deadline)
    {
        do
        {
            if (_checkpoint?.TryAddEntries() == true)
            {
                Tell();
                continue; // Nobody loads anything before all are there.
            }

            if (TryRead(nowMs, deadline) || TryLoadBlock(Reader, nowMs))
            {
                continue;
            }

            if (_longState >= LongState.IsTaken || _inHand[Reader] != null)
            {
                return LoadStep.GoesOn;
            }

            if (_isRead && _queues.IsIdle)
            {
                if (!TryClose())
                {
                    return LoadStep.GoesOn; // Somebody makes the step of a task.
                }

                _checkpoint?.Finish();
                _state.AddKeys(_checkpoint?.Entries ?? 0);
                return LoadStep.Ended;
            }

            Volatile.Write(ref _isReaderWaiting, 1);
            if (_queues.IsAtWork)
            {
                return LoadStep.Waits; // Whoever gives its block back looks afterwards whether the reader waits.
            }
        }
        while (!deadline.HasPassed && !_isStopped);
        return LoadStep.GoesOn;
    }

    /// <summary>Loads some of what was read; on any other worker.</summary>
    /// <inheritdoc cref="Read"/>
    public LoadStep Load(int worker, long nowMs, in Deadline deadline)
    {
        while (TryLoadBlock(worker, nowMs))
        {
            if (deadline.HasPassed)
            {
                return LoadStep.GoesOn;
            }
        }

        return _inHand[worker] != null ? LoadStep.GoesOn : LoadStep.Waits;
    }

    /// <summary>Has nothing more be begun with. Any thread.</summary>
    public void Stop() => _isStopped = true;

    /// <summary>Ends what was stopped; on the first worker.</summary>
    /// <returns>Whether no other worker is at work any more.</returns>
    public bool TryEnd()
    {
        if (_longState >= LongState.IsTaken && !TryAbandonLong())
        {
            return false;
        }

        _ = TryLoadBlock(Reader, nowMs: 0);
        return !_queues.IsAtWork && TryClose();
    }

    /// <inheritdoc/>
    /// <remarks>Nobody is at work.</remarks>
    public void Dispose()
    {
        foreach (var loader in _loaders)
        {
            loader?.Dispose();
        }

        foreach (var block in _filled)
        {
            block?.Dispose();
        }

        _spare?.Dispose();
        _queues.Dispose();
        _reader.Dispose();
        (_source as IDisposable)?.Dispose();
    }

    /// <summary>Reads some items.</summary>
    /// <returns>False when there is no more room for any, or all were read.</returns>
    private bool TryRead(long nowMs, in Deadline deadline)
    {
        for (var i = 0; i < ItemsBetweenLooks; i++)
        {
            if (_longState != LongState.None)
            {
                if (!TryLoadLong(nowMs, deadline))
                {
                    return false;
                }
            }
            else if (_isRead || !TryHaveBlocks())
            {
                return false;
            }
            else
            {
                ReadNext(nowMs);
            }
        }

        Tell();
        return true;
    }

    /// <summary>Whether there is room for the next key: whatever group it is of, and however long.</summary>
    private bool TryHaveBlocks()
    {
        foreach (ref var block in _filled.AsSpan())
        {
            block ??= _queues.Rent();
            if (block == null)
            {
                return false;
            }
        }

        _spare ??= _queues.Rent();
        return _spare != null;
    }

    private void ReadNext(long nowMs)
    {
        switch (_reader.Next())
        {
            case RdbItem.End:
                _isRead = true;
                Tell();
                for (var group = 0; group < _filled.Length; group++)
                {
                    HandOver(group);
                }

                break;
            case RdbItem.Function:
                var offset = _reader.Offset;
                if (_options.LoadFunction(_reader.FunctionCode.ToArray()) is { } problem)
                {
                    throw new RdbException($"a library of functions cannot be loaded ({problem})", offset);
                }

                break;
            case RdbItem.Key:
                ReadKey(nowMs);
                break;
        }
    }

    private unsafe void ReadKey(long nowMs)
    {
        if (!_server.Databases.Has(_reader.Database))
        {
            throw new RdbException(
                $"the file has keys of database {_reader.Database}, and the server only {_server.Databases.Count} "
                + "databases: raise 'databases'", _reader.Offset);
        }

        if (!_options.KeepsExpired && _reader.ExpiryMs >= 0 && _reader.ExpiryMs < nowMs)
        {
            _reader.SkipValue();
            _state.ExpiredKeys++;
            return;
        }

        var name = _reader.Key;
        var loaded = new LoadedKey
        {
            ExpiryMs = _reader.ExpiryMs,
            ValueOffset = _reader.Offset,
            NameBytes = name.Length,
            Database = _server.Databases.PhysicalOf(_reader.Database),
            Type = _reader.ValueType,
            Info = _reader.Info,
        };
        fixed (byte* bytes = name)
        {
            loaded.Hash = KeyHash.Compute(bytes, name.Length, loaded.Database);
        }

        if (!_reader.TryPassValue(ServerLimits.LongestHandedOverBytes, out var value))
        {
            _long = loaded;
            _longState = LongState.Waits;
            return;
        }

        loaded.ValueBytes = value.Length;
        Add(loaded, value);
    }

    private void Add(in LoadedKey loaded, ReadOnlySpan<byte> value)
    {
        var group = GroupOf(loaded);
        if (_filled[group]!.TryAdd(loaded, _reader.Key, value))
        {
            return;
        }

        HandOver(group);
        Invariant.Check(_spare!.TryAdd(loaded, _reader.Key, value), "an empty block has room for any key");
        (_filled[group], _spare) = (_spare, null);
    }

    /// <summary>Ends the turns of tasks, before the leases are given back.</summary>
    /// <returns>False while somebody has one.</returns>
    private bool TryClose()
    {
        if (!_turns.TryClose())
        {
            return false;
        }

        if (_server.Shards.Tier is { } tier)
        {
            tier.LongHold = null;
        }

        return true;
    }

    /// <summary>Goes on with a value that is not handed over.</summary>
    /// <returns>False when it must wait, or go on later.</returns>
    private bool TryLoadLong(long nowMs, in Deadline deadline)
    {
        var group = GroupOf(_long);
        var shard = _server.Shards.Of(_long.Hash);
        if (_longState == LongState.Waits)
        {
            HandOver(group);
            if (!_queues.TryTakeEmpty(group))
            {
                return false;
            }

            _longState = LongState.IsTaken;
        }

        while (!deadline.HasPassed && !_isStopped && _room.TryMake(Reader, nowMs) && _turns.TryTake(group))
        {
            try
            {
                if (TryStepLong(shard, nowMs))
                {
                    _longState = LongState.None;
                    _queues.GiveBack(group);
                    return true;
                }
            }
            finally
            {
                _turns.GiveBack(group);
            }

            Tell();
        }

        return false;
    }

    /// <summary>Reads some more of the value, in the turn of its group.</summary>
    /// <returns>Whether it is the key's.</returns>
    private bool TryStepLong(Shard shard, long nowMs)
    {
        if (_longState == LongState.IsTaken)
        {
            _reader.BeginValue(shard, _limits);
            _longState = LongState.IsRead;
        }

        if (!_reader.Value.Step(StepEffort))
        {
            return false;
        }

        PutLong(shard, nowMs);
        return true;
    }

    private bool TryAbandonLong()
    {
        var group = GroupOf(_long);
        if (!_turns.TryTake(group))
        {
            return false;
        }

        if (_longState == LongState.IsRead)
        {
            _reader.Value.Abandon();
        }

        _longState = LongState.None;
        _turns.GiveBack(group);
        _queues.GiveBack(group);
        return true;
    }

    private unsafe void PutLong(Shard shard, long nowMs)
    {
        fixed (byte* name = _reader.Key)
        {
            var key = new Key(name, _reader.Key.Length, _long.Database, _long.Hash);
            var isPut = LoaderOf(Reader).TryPut(shard, _reader.Value, key, _long, Reader, nowMs);
            _state.AddKeys(isPut ? 1 : 0);
        }
    }

    private KeyLoader LoaderOf(int worker)
        => _loaders[worker] ??= new KeyLoader(_server, _limits, _options.Replaces);

    /// <summary>Loads a block, if there is one for this worker.</summary>
    /// <returns>False when there is none, or room for it must be waited for.</returns>
    private bool TryLoadBlock(int worker, long nowMs)
    {
        var block = _inHand[worker] ?? (_isStopped ? null : _queues.TryTake(worker));
        _inHand[worker] = block;
        if (block == null || (!_isStopped && !_room.TryMake(worker, nowMs)) || !_turns.TryTake(block.Group))
        {
            return false;
        }

        try
        {
            if (!_isStopped)
            {
                _state.AddKeys(LoaderOf(worker).Load(block, worker, nowMs));
            }
        }
        finally
        {
            _inHand[worker] = null;
            _turns.GiveBack(block.Group);
            _queues.GiveBack(block);
            if (worker != Reader && Interlocked.Exchange(ref _isReaderWaiting, 0) != 0)
            {
                _options.Wake(Reader);
            }
        }

        return true;
    }

    /// <summary>Says how far it is.</summary>
    private void Tell() => _state.LoadedBytes = _checkpoint?.ReadBytes ?? _reader.Offset;

    private int GroupOf(in LoadedKey loaded) => _server.Shards.NumberOf(loaded.Hash) % _filled.Length;

    private void HandOver(int group)
    {
        if (_filled[group] is { IsEmpty: false } block)
        {
            _filled[group] = null;
            block.Group = group;
            _queues.Add(block);
            if (group != Reader)
            {
                _options.Wake(group);
            }
        }
    }
}
