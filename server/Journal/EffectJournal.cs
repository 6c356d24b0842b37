using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Journal;

/// <summary>
/// The journal, as those know it that change something: where effects of each shard go, and the one order of all. While
/// it is off, nothing is told and no memory held. What is told goes to the journal's thread (its writer).
/// </summary>
public sealed unsafe class EffectJournal : IDisposable
{
    private readonly ShardMap _shards;
    private readonly MemoryBudget _budget;
    private readonly bool _isShared;
    private readonly EffectQueue[] _queues;
    private readonly ShardEffects[] _effects;
    private readonly Durability _durability;
    private volatile UnsyncedKeys? _unsynced;
    private volatile bool _isOn;
    private volatile bool _isBaseRequired;
    private volatile JournalProblem? _problem;

    /// <summary>Which keys are to be waited for when they are read; null but with <see cref="Durability.IsAwaited"/>.
    /// </summary>
    internal UnsyncedKeys? Unsynced => _unsynced;

    /// <summary>The journal of a server; it is off.</summary>
    internal EffectJournal(ShardMap shards, DatabaseMap databases, Durability durability, int workers)
    {
        _shards = shards;
        _durability = durability;
        _budget = shards.Budget;
        Memory = new EffectMemory(_budget);
        _isShared = workers > 1;

        // One queue for each shard, and one for what has to do with none. Without other workers all is in one order.
        _queues = new EffectQueue[_isShared ? shards.Count + 1 : 1];
        for (var i = 0; i < _queues.Length; i++)
        {
            _queues[i] = new EffectQueue(this, commitsUnits: !_isShared || i == shards.Count);
        }

        _effects = new ShardEffects[shards.Count];
        for (var i = 0; i < _effects.Length; i++)
        {
            _effects[i] = new ShardEffects(this, databases, _isShared ? _queues[i] : _queues[0], durability);
        }
    }

    /// <summary>Whether effects are told. It changes only while all leases are held.</summary>
    public bool IsOn => _isOn;

    /// <summary>Whether all effects go to the same queue: where there is one worker.</summary>
    internal bool HasOneQueue => !_isShared;

    /// <summary>The number of the newest batch.</summary>
    public long LastSequence => _durability.Last;

    /// <summary>Why nothing can be written now; null while it can.</summary>
    public JournalProblem? Problem
    {
        get => _problem;
        internal set
        {
            LastProblem = value ?? LastProblem;
            _problem = value;
            _durability.IsRefused = value != null;
        }
    }

    /// <summary>The last of those there were.</summary>
    public JournalProblem? LastProblem { get; private set; }

    /// <summary>Whether commands that change something must wait, or are refused: nothing can be written, or too much
    /// waits to be.</summary>
    public bool IsStalled => _isOn && (_problem != null || IsBehind(QueuedBytes));

    /// <summary>Memory of effects that are not written yet, bytes.</summary>
    public long QueuedBytes => Memory.UsedBytes;

    /// <summary>Memory for effects.</summary>
    internal EffectMemory Memory { get; }

    /// <summary>The queues, for who takes effects from them.</summary>
    internal ReadOnlySpan<EffectQueue> Queues => _queues;

    /// <summary>Where what has to do with no shard goes; the producer is who has locked it.</summary>
    internal EffectQueue Unsharded => _queues[^1];

    /// <summary>Where the effects of a command of one shard go.</summary>
    internal EffectQueue QueueOf(Shard shard) => _effects[shard.Number].Route;

    /// <summary>What is told of a shard.</summary>
    internal ShardEffects Of(int shard) => _effects[shard];

    /// <summary>Begins to tell effects. All leases are held.</summary>
    internal void TurnOn()
    {
        for (var i = 0; i < _effects.Length; i++)
        {
            _shards[i].Changes.Add(_effects[i]);
            _shards[i].Lease.HoldEnd = _isShared ? _effects[i] : null;
        }

        _isOn = true;
    }

    /// <summary>Tells no more. All leases are held, and all that was told is committed.</summary>
    internal void TurnOff()
    {
        lock (Unsharded)
        {
            _isOn = false;
        }

        for (var i = 0; i < _effects.Length; i++)
        {
            _shards[i].Changes.Remove(_effects[i]);
            _shards[i].Lease.HoldEnd = null;
        }
    }

    /// <summary>The place of the next batch among all.</summary>
    internal long NextSequence() => _durability.Next(_isShared);

    /// <summary>Something was told that has to do with no shard, by who has locked it.</summary>
    internal void OnUnshardedTold() => _durability.LastUnsharded = _durability.Last;

    /// <summary>Nothing is answered any more before the disk has it. All leases are held.</summary>
    internal void AwaitDurability()
    {
        _unsynced ??= new UnsyncedKeys(_shards);
        _unsynced.MarkAll(_durability.Last);
        _durability.IsAwaited = true;
    }

    /// <summary>Called when more is on the disk; any thread may set it.</summary>
    internal Action? Durable { get; set; }

    /// <summary>Called when somebody waits for what was told to be on the disk; any thread.</summary>
    internal Action? Wanted { get; set; }

    /// <summary>Somebody waits for what was told to be on the disk. Any thread.</summary>
    internal void Want() => Wanted?.Invoke();

    /// <summary>Something was done that could not be told: for who writes the journal, which is of no use from here on
    /// without a new base.</summary>
    internal void RequireBase() => _isBaseRequired = true;

    /// <summary>Whether that is so, once.</summary>
    internal bool TakeBaseRequired()
    {
        var isRequired = _isBaseRequired;
        _isBaseRequired = false;
        return isRequired;
    }

    /// <summary>Tells what a key has become, where a command has ended in the midst of a change of it.</summary>
    internal void TellState(EffectQueue effects, in Key key, in Record record)
    {
        if (record.IsNull)
        {
            effects.Begin(2, "DEL"u8);
            effects.Argument(key.Span);
            return;
        }

        using var dumps = new DumpWriter(_budget);
        try
        {
            var payload = dumps.Write(record, compresses: true);
            effects.Begin(6, "RESTORE"u8);
            effects.Argument(key.Span);
            effects.Argument(Math.Max(0, record.ExpiryMs));
            effects.Argument(payload);
            effects.Argument("REPLACE"u8);
            effects.Argument("ABSTTL"u8);
        }
        catch (MemoryExhaustedException)
        {
            RequireBase();
        }
    }

    /// <summary>Whether so many bytes that wait are too much: of a small memory limit a part would be.</summary>
    private bool IsBehind(long queuedBytes)
        => queuedBytes > ServerLimits.JournalQueueLeastBytes
            && (queuedBytes > ServerLimits.JournalQueueBytes
                || (_budget.LimitBytes is not 0 and var limit && queuedBytes > limit / ServerLimits.JournalQueueShare));

    /// <summary>More is on the disk.</summary>
    internal void OnDurable() => Durable?.Invoke();

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var queue in _queues)
        {
            queue.Dispose();
        }

        Memory.Dispose();
        _unsynced?.Dispose();
    }
}
