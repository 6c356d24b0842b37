using System.Numerics;
using Strata.Server.Commands.Model;
using Strata.Server.Journal;
using Strata.Storage;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution.Leases;

/// <summary>The leases one command needs, taken in ascending order so that two commands never wait for each other.
/// </summary>
internal sealed class LeaseSet : IShardSet, IDisposable
{
    private const int KeptKeys = 1024;

    private readonly ShardMap _shards;
    private readonly EffectJournal _journal;
    private readonly NativeList<Key> _keys;
    private readonly ulong[] _wanted = new ulong[LeaseReservation.Words];
    private EffectQueue? _effects;

    public LeaseSet(ShardMap shards, EffectJournal journal)
    {
        _shards = shards;
        _journal = journal;
        _keys = new NativeList<Key>(shards.Budget, KeptKeys);
    }

    /// <summary>The keys that were added, until another is.</summary>
    public ReadOnlySpan<Key> KeySpan => _keys.Span;

    /// <summary>The shards' versions by their numbers; those of the set are what <see cref="TryReadVersions"/> found.
    /// </summary>
    public long[] Versions { get; } = new long[Limits.MaxShards];

    public void Clear()
    {
        Array.Clear(_wanted);
        _keys.Free();
    }

    /// <inheritdoc/>
    public void Add(in Key key)
    {
        _keys.Add(key);
        Add(_shards.NumberOf(key.Hash));
    }

    /// <inheritdoc/>
    public void Add(int shard) => _wanted[shard >> 6] |= 1UL << (shard & 63);

    /// <inheritdoc/>
    public void AddAll()
    {
        for (var i = 0; i < _shards.Count; i++)
        {
            Add(i);
        }
    }

    /// <summary>Adds <see cref="ShardMap.Escalation"/>.</summary>
    public void AddEscalation() => Add(_shards.Count);

    /// <summary>Whether a shard is in the set.</summary>
    public bool Contains(int shard) => (_wanted[shard >> 6] & (1UL << (shard & 63))) != 0;

    /// <summary>Copies the set, a bit for each lease.</summary>
    public void CopyTo(Span<ulong> leases) => _wanted.CopyTo(leases);

    /// <summary>Notes the versions of all shards in the set, for an optimistic read.</summary>
    /// <returns>False when one of them is being changed.</returns>
    public bool TryReadVersions()
    {
        for (var shard = Next(0); shard >= 0; shard = Next(shard + 1))
        {
            Versions[shard] = _shards[shard].Lease.ReadVersion();
            if (!ShardLease.IsFree(Versions[shard]))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether no shard of the set changed since <see cref="TryReadVersions"/>.</summary>
    public bool AreUnchanged()
    {
        for (var shard = Next(0); shard >= 0; shard = Next(shard + 1))
        {
            if (!_shards[shard].Lease.IsUnchanged(Versions[shard]))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Takes all leases, or none.</summary>
    /// <param name="claim">What has them reserved for the caller, if so.</param>
    /// <returns>Null, or the lease that stayed taken.</returns>
    public ShardLease? AcquireAll(LeaseClaim? claim = null)
    {
        claim?.Reserve(_wanted);
        for (var number = Next(0); number >= 0; number = Next(number + 1))
        {
            var lease = LeaseOf(number);
            if (claim == null ? !lease.TryAcquireSpinning() : !lease.TryAcquireReserved())
            {
                GiveBack(number, claim != null);
                return lease;
            }
        }

        return null;
    }

    /// <summary>Adds a shard to a set whose leases, <see cref="ShardMap.Escalation"/> among them, are held, and takes
    /// its lease, before whoever may have it reserved: it may be that what they wait for is held here.</summary>
    /// <param name="shard">The shard, which is not in the set.</param>
    /// <param name="claim">What has the others reserved for the caller, if so.</param>
    /// <returns>False when it is taken: nothing has changed but that <paramref name="claim"/> has it reserved.
    /// </returns>
    public bool TryExtend(int shard, LeaseClaim? claim)
    {
        Add(shard);
        claim?.Reserve(_wanted);
        if (_shards[shard].Lease.TryAcquireReserved())
        {
            if (_effects != null)
            {
                _journal.Of(shard).Route = _effects;
            }

            return true;
        }

        _wanted[shard >> 6] &= ~(1UL << (shard & 63));
        return false;
    }

    /// <inheritdoc/>
    public void Dispose() => _keys.Dispose();

    /// <summary>Forgets the keys, and what memory a great many of them took; the shards stay in the set.</summary>
    public void ForgetKeys() => _keys.Free();

    /// <summary>Gives all leases back, after whose shards were changed; they are not reserved any more.</summary>
    public void ReleaseAll(CommandExecutor executor, long nowMs, LeaseClaim? claim = null)
    {
        for (var number = Next(0); number >= 0; number = Next(number + 1))
        {
            if (number < _shards.Count)
            {
                executor.Release(_shards[number], nowMs, claim != null);
            }
            else if (claim == null)
            {
                _shards.Escalation.Release();
            }
            else
            {
                _shards.Escalation.ReleaseReserved();
            }
        }

        claim?.OnReleased();
    }

    /// <summary>From here on the effects of all shards of the set, whose leases are held, are one: all are told to the
    /// same queue.</summary>
    /// <returns>The queue, in which a unit has begun; null where no shard is held.</returns>
    public EffectQueue? BeginEffects()
    {
        var first = _journal.HasOneQueue ? 0 : Next(0); // The set may be empty where no leases are taken.
        if (first < 0 || first >= _shards.Count)
        {
            return null;
        }

        _effects = _journal.Of(first).Queue;
        RouteEffects();
        _effects.BeginUnit();
        return _effects;
    }

    /// <summary>Ends that, before the first of the leases is given back.</summary>
    public void EndEffects()
    {
        _effects!.EndUnit();
        _effects.Commit();
        _effects = null;
        RouteEffects();
    }

    private void RouteEffects()
    {
        for (var shard = Next(0); shard >= 0 && shard < _shards.Count; shard = Next(shard + 1))
        {
            _journal.Of(shard).Route = _effects ?? _journal.Of(shard).Queue;
        }
    }

    /// <summary>Gives the leases before one back, whose shards were not touched.</summary>
    private void GiveBack(int end, bool areReserved)
    {
        for (var held = Next(0); held < end; held = Next(held + 1))
        {
            var lease = LeaseOf(held);
            if (areReserved)
            {
                lease.ReleaseStillReserved();
            }
            else
            {
                lease.Release();
            }
        }
    }

    private ShardLease LeaseOf(int number) => number < _shards.Count ? _shards[number].Lease : _shards.Escalation;

    private int Next(int number)
    {
        for (var word = number >> 6; word < _wanted.Length; word++)
        {
            var bits = _wanted[word];
            if (word == number >> 6)
            {
                bits &= ulong.MaxValue << (number & 63);
            }

            if (bits != 0)
            {
                return (word << 6) + BitOperations.TrailingZeroCount(bits);
            }
        }

        return -1;
    }
}
