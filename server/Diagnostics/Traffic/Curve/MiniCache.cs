using System.Runtime.CompilerServices;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Runtime;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// A cache of another size in small: of the keys whose hash is below a threshold it holds as many as fit into that part
/// of its size, and gives up others as the server does ("Cache modeling and optimization using miniature simulations",
/// Waldspurger et al., ATC '17): the lru and lfu policies are S3-FIFO as QueueEviction has it, key by key instead of
/// page by page. Where it would hold more keys than it can, the threshold is halved, and what is above it is forgotten
/// (SHARDS, Waldspurger et al., FAST '15). One thread.
/// </summary>
internal sealed class MiniCache
{
    private const int None = MiniCacheKeys.None;
    private const int MaxFrequency = 3;
    private const int LeastShareFreed = 16;

    // So many average keys more than there is room for: room for half a one is free on an average, and one waits in
    // probation, where of many keys a 64th would. Of dozens of keys that is much. Not where what is new is refused.
    private const double KeysOver = 1.5;

    // Keys of which the one goes that expires soonest: the server finds it among more.
    private const int SoonestOf = 32;

    private readonly MiniCacheKeys _keys;
    private readonly MiniGhosts _ghosts;
    private readonly QueueBalance _balance = new();
    private int _kept;
    private uint _coin = 1;
    private long _capacity;
    private double _size;

    /// <summary>An empty cache.</summary>
    /// <param name="keys">How many keys it can hold.</param>
    /// <param name="threshold">Keys are of it whose sample number (<see cref="NumberOf"/>) is below.</param>
    public MiniCache(int keys, uint threshold)
    {
        _keys = new MiniCacheKeys(keys);
        _ghosts = new MiniGhosts(keys);
        Threshold = threshold;
    }

    /// <summary>Which keys it gives up.</summary>
    public EvictionPolicy Policy { get; set; } = EvictionPolicy.AllKeysLru;

    /// <summary>Keys are of it whose sample number is below.</summary>
    public uint Threshold { get; private set; }

    /// <summary>How many keys it holds.</summary>
    public int Count => _keys.Count;

    /// <summary>The part of all keys that are of it.</summary>
    public double Rate => Threshold / (double)uint.MaxValue;

    /// <summary>Whether it has given up a key since it began, or since more keys were to be of it: else it holds what
    /// was used since then.</summary>
    public bool HasEvicted { get; private set; }

    /// <summary>Bytes of the whole cache that it stands for.</summary>
    public double SizeBytes
    {
        get => _size;
        set
        {
            _size = value;
            _capacity = (long)(value * Rate);
            Shrink(None);
        }
    }

    private bool IsOver
        => _keys.Bytes > _capacity
            && (IsVolatile || _keys.Bytes * (_keys.Count - KeysOver) > (double)_capacity * _keys.Count);

    private bool IsVolatile => Policy >= EvictionPolicy.VolatileLru;

    /// <summary>Memory for so many keys, bytes, about.</summary>
    public static int BytesFor(int keys) => MiniCacheKeys.BytesFor(keys) + MiniGhosts.BytesFor(keys);

    /// <summary>The number by which keys are drawn, of bits that neither choose the shard nor all of the bucket.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint NumberOf(ulong hash) => (uint)(hash >> 24);

    /// <summary>Has the memory come that <see cref="Use"/> needs first.</summary>
    public void PrefetchPlace(ulong hash) => _keys.PrefetchPlace(hash);

    /// <summary>Has the memory come that it needs then.</summary>
    public void PrefetchKey(ulong hash) => _keys.PrefetchKey(hash);

    /// <summary>Lets a key be used, of which the threshold was asked before.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Use(in SampledAccess access, uint now)
    {
        var index = _keys.Find(access.Hash);
        if (index != None && _keys[index].ExpiresAt != 0 && _keys[index].ExpiresAt <= now)
        {
            _keys.Remove(index);
            index = None;
        }

        if (index == None)
        {
            if (access.Bytes > 0)
            {
                Insert(access); // Who has missed it there sets it, as it was set here.
            }

            return false;
        }

        ref var item = ref _keys[index];
        item.Frequency = (byte)Math.Min(MaxFrequency, item.Frequency + 1);
        if (access.Bytes > 0)
        {
            _keys.Resize(index, access.Bytes);
            item.ExpiresAt = access.ExpiresAt;
            var mayGo = !IsVolatile || access.ExpiresAt != 0;
            if (mayGo != (item.Queue != MiniQueue.Pinned))
            {
                _keys.Move(index, mayGo ? MiniQueue.Main : MiniQueue.Pinned);
            }

            Shrink(index);
        }
        else if (!access.IsRead)
        {
            _keys.Remove(index); // It was deleted.
        }

        return true;
    }

    /// <summary>Has fewer keys be of it.</summary>
    public void Lower(uint threshold)
    {
        Threshold = threshold;
        _capacity = (long)(_size * Rate);
        for (var i = 0; i < _keys.Capacity; i++)
        {
            if (_keys[i].IsHeld && NumberOf(_keys[i].Hash) >= threshold)
            {
                _keys.Remove(i);
            }
        }

        Shrink(None);
    }

    /// <summary>Has more keys be of it, of which it holds none yet.</summary>
    public void Raise(uint threshold)
    {
        Threshold = threshold;
        _capacity = (long)(_size * Rate);
        HasEvicted = false;
    }

    private void Insert(in SampledAccess access)
    {
        while (_keys.IsFull)
        {
            Lower(Threshold / 2);
            if (NumberOf(access.Hash) >= Threshold)
            {
                return;
            }
        }

        var queue = IsVolatile && access.ExpiresAt == 0 ? MiniQueue.Pinned
            : _balance.IsForMain(_ghosts.Take(access.Hash)) ? MiniQueue.Main
            : MiniQueue.Probation;
        var index = _keys.Add(access, queue);
        Shrink(index);
        if (IsVolatile && _keys.Bytes > _capacity && _keys.Count > 1)
        {
            _keys.Remove(index); // It was refused: what is there may not go.
        }
    }

    /// <summary>Gives up keys until the others fit, but not the one that is being used.</summary>
    private void Shrink(int used)
    {
        while (IsOver && _keys.Count > (used == None ? 0 : 1)
            && !(_keys.IsEmptyBut(MiniQueue.Probation, used) && _keys.IsEmptyBut(MiniQueue.Main, used)))
        {
            switch (Policy)
            {
                case EvictionPolicy.AllKeysRandom or EvictionPolicy.VolatileRandom:
                    Evict(Draw(used));
                    break;
                case EvictionPolicy.VolatileTtl:
                    Evict(DrawSoonest(used));
                    break;
                default:
                    Judge(used);
                    break;
            }
        }
    }

    private void Evict(int index)
    {
        HasEvicted = true;
        _keys.Remove(index);
    }

    /// <summary>Gives up the oldest key, or another round if it was read.</summary>
    private void Judge(int used)
    {
        var (probation, main) = (_keys.BytesOf(MiniQueue.Probation), _keys.BytesOf(MiniQueue.Main));
        var fromProbation = _keys.IsEmptyBut(MiniQueue.Main, used)
            || (!_keys.IsEmptyBut(MiniQueue.Probation, used) && probation > _balance.Share * (probation + main));
        var index = _keys.OldestOf(fromProbation ? MiniQueue.Probation : MiniQueue.Main);
        ref var item = ref _keys[index];
        if (index == used)
        {
            _keys.Move(index, item.Queue);
        }
        else if (item.Frequency > 0 && ++_kept < LeastShareFreed)
        {
            item.Frequency = Aged(item.Frequency, fromProbation);
            _keys.Move(index, MiniQueue.Main);
        }
        else
        {
            _kept = 0;
            _ghosts.Add(item.Hash, !fromProbation, _keys.Count);
            _balance.CountEvicted(!fromProbation, _keys.Count);
            Evict(index);
        }
    }

    private byte Aged(byte frequency, bool fromProbation)
        => Policy is EvictionPolicy.AllKeysLfu or EvictionPolicy.VolatileLfu
            ? (byte)(frequency - (Toss() & 1))
            : (byte)(fromProbation ? 0 : frequency - 1);

    /// <summary>A key that may go, by chance; there is one.</summary>
    private int Draw(int used)
    {
        var index = (int)(Toss() % (uint)_keys.Top);
        while (!_keys[index].IsHeld || _keys[index].Queue == MiniQueue.Pinned || index == used)
        {
            index = index + 1 < _keys.Top ? index + 1 : 0;
        }

        return index;
    }

    private int DrawSoonest(int used)
    {
        var soonest = Draw(used);
        for (var i = 1; i < Math.Min(SoonestOf, _keys.Count); i++)
        {
            var index = Draw(used);
            soonest = _keys[index].ExpiresAt < _keys[soonest].ExpiresAt ? index : soonest;
        }

        return soonest;
    }

    private uint Toss() => _coin = XorShift.Next(_coin);
}
