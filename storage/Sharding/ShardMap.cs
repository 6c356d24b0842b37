using System.Numerics;
using System.Runtime.CompilerServices;
using Strata.Storage.Changes;
using Strata.Storage.Interests;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;

namespace Strata.Storage.Sharding;

/// <summary>All shards, and which one a hash belongs to. The number of shards does not depend on the workers.</summary>
public sealed class ShardMap : IDisposable
{
    private readonly ShardMemory _memory;
    private readonly Shard[] _shards;
    private readonly int _shift;

    /// <summary>Makes empty shards; the tier, if there is one, stays the caller's.</summary>
    /// <exception cref="MemoryExhaustedException">The address space is not to be had.</exception>
    public ShardMap(ShardSettings settings, MemoryBudget budget, Quiescence quiescence, Tier? tier = null)
    {
        var isPossible = BitOperations.IsPow2(settings.Shards) && settings.Shards <= Limits.MaxShards;
        Invariant.Check(isPossible, "number of shards");
        Budget = budget;
        Tier = tier;
        _shift = 64 - BitOperations.Log2((uint)settings.Shards);
        Clock = (settings.Platform ?? Platform.Machine).Clock;
        _memory = new ShardMemory(settings);
        _shards = new Shard[settings.Shards];
        var mostTold = Math.Max(Limits.LeastWatchesTold, Limits.WatchesTold / settings.Shards);
        for (var i = 0; i < _shards.Length; i++)
        {
            _shards[i] = new Shard(i, settings, _memory, budget, quiescence, tier);
            _shards[i].Watches.Epoch = WatchEpoch;
            _shards[i].Watches.MostTold = mostTold;
            _shards[i].Waits.MostLookedAt = mostTold;
            Reservation.Add(_shards[i].Lease);
        }

        Escalation = new ShardLease(settings.IsShared, settings.Shards);
        Reservation.Add(Escalation);
    }

    public MemoryBudget Budget { get; }

    /// <summary>Who is next at several leases.</summary>
    public LeaseReservation Reservation { get; } = new();

    /// <summary>The right to take leases beyond those that a command began with, though it has changed something and
    /// can give none back (lock escalation). One command of the whole server has it at a time, so that no two wait for
    /// each other; those that have all they need, or can give it back, wait for nobody. It comes behind all shards'
    /// leases.</summary>
    public ShardLease Escalation { get; }

    /// <summary>Where it is told which changes of the shards' keys belong together.</summary>
    public TransactionSeam Transactions { get; } = new();

    /// <summary>Where it is counted that all watched keys count as changed.</summary>
    public WatchEpoch WatchEpoch { get; } = new();

    /// <summary>The clock of the shards.</summary>
    public TimeProvider Clock { get; }

    /// <summary>Where what does not fit into memory goes; null where all stays there.</summary>
    public Tier? Tier { get; }

    /// <summary>All shards in ascending order, the order in which several leases are taken.</summary>
    public ReadOnlySpan<Shard> All => _shards;

    public int Count => _shards.Length;

    public Shard this[int number] => _shards[number];

    /// <summary>The phase (<see cref="PageMove"/>) with which a large value is best received.</summary>
    /// <param name="keyLength">Bytes of its key.</param>
    public int ValuePhase(int keyLength) => RecordAlignment.ValuePhase(keyLength, Tier != null);

    /// <summary>The number of the shard a hash belongs to: its top bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int NumberOf(ulong hash) => _shift == 64 ? 0 : (int)(hash >> _shift);

    /// <summary>The shard a hash belongs to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Shard Of(ulong hash) => _shards[NumberOf(hash)];

    /// <summary>Keys of a database over all shards.</summary>
    public long CountKeys(byte database)
    {
        var keys = 0L;
        foreach (var shard in _shards)
        {
            keys += shard.Databases.Keys(database);
        }

        return keys;
    }

    /// <summary>Tells of all shards that two databases are about to change places, before they do. All leases must be
    /// held, until it is told that they have.</summary>
    /// <param name="first">One database, by its physical number.</param>
    /// <param name="second">Another one.</param>
    public void BeforeExchange(byte first, byte second)
    {
        foreach (var shard in _shards)
        {
            shard.Changes.BeforeExchange(first, second);
        }
    }

    /// <summary>Tells of all shards that two databases have changed places.</summary>
    /// <param name="first">One database, by its physical number.</param>
    /// <param name="second">The other.</param>
    /// <param name="author">Who asked for it.</param>
    /// <returns>Whether all have been woken who may have what they wait for since; else <see cref="ExchangeWakes"/>
    /// goes on with that.</returns>
    public bool TellExchanged(byte first, byte second, IChangeAuthor? author)
    {
        var haveWoken = true;
        foreach (var shard in _shards)
        {
            shard.Changes.TellExchanged(first, second, author);
            haveWoken &= shard.Waits.HasWokenExchanged;
        }

        return haveWoken;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var shard in _shards)
        {
            shard.Dispose();
        }

        Escalation.Dispose();
        _memory.Dispose();
    }
}
