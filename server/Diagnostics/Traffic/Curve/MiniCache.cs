using System.Numerics;
using System.Runtime.CompilerServices;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// A cache of another size in small: of the keys whose hash is below a threshold it holds as many as fit into that part
/// of its size, and gives up others as the server does ("Cache modeling and optimization using miniature simulations",
/// Waldspurger et al., ATC '17; the policy is S3-FIFO as QueueEviction has it, key by key instead of page by page).
/// Where it would hold more keys than it can, the threshold is halved, and what is above it is forgotten (SHARDS,
/// Waldspurger et al., FAST '15). One thread.
/// </summary>
internal sealed class MiniCache
{
    private const int None = -1;
    private const int MaxFrequency = 3;
    private const int ProbationShare = 64;
    private const int LeastShareFreed = 16;
    private const int GhostSlots = 8;

    private readonly Item[] _items;
    private readonly int[] _places;
    private readonly ushort[] _ghosts;
    private Queue _probation = new();
    private Queue _main = new();
    private int _free;
    private int _kept;
    private int _ghostBuckets = 1;
    private long _capacity;
    private double _size;

    /// <summary>An empty cache.</summary>
    /// <param name="keys">How many keys it can hold.</param>
    /// <param name="threshold">Keys are of it whose sample number (<see cref="NumberOf"/>) is below.</param>
    public MiniCache(int keys, uint threshold)
    {
        _items = new Item[keys];
        _places = new int[BitOperations.RoundUpToPowerOf2((uint)keys * 2)];
        _ghosts = new ushort[GhostSlots * (keys / 5)]; // As many as the server remembers: 8 for 5 keys.
        Threshold = threshold;
        Clear();
    }

    /// <summary>Keys are of it whose sample number is below.</summary>
    public uint Threshold { get; private set; }

    /// <summary>How many keys it holds.</summary>
    public int Count { get; private set; }

    /// <summary>The part of all keys that are of it.</summary>
    public double Rate => Threshold / (double)uint.MaxValue;

    /// <summary>Bytes of the whole cache that it stands for.</summary>
    public double SizeBytes
    {
        get => _size;
        set
        {
            _size = value;
            _capacity = (long)(value * Rate);
            Shrink();
        }
    }

    /// <summary>Memory for so many keys, bytes, about.</summary>
    public static int BytesFor(int keys)
        => (keys * Unsafe.SizeOf<Item>()) + ((int)BitOperations.RoundUpToPowerOf2((uint)keys * 2) * sizeof(int))
            + (GhostSlots * (keys / 5) * sizeof(ushort));

    /// <summary>The number by which keys are drawn, of bits that neither choose the shard nor all of the bucket.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint NumberOf(ulong hash) => (uint)(hash >> 24);

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        Array.Fill(_places, None);
        Array.Clear(_ghosts);
        (_probation, _main) = (new(), new());
        for (var i = 0; i < _items.Length; i++)
        {
            _items[i].Next = i + 1 < _items.Length ? i + 1 : None;
        }

        (_free, Count) = (0, 0);
    }

    /// <summary>Lets a key be used, of which the threshold was asked before.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Use(in SampledAccess access, uint now)
    {
        var index = Find(access.Hash);
        if (index != None && _items[index].ExpiresAt != 0 && _items[index].ExpiresAt <= now)
        {
            Remove(index);
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

        ref var item = ref _items[index];
        if (access.Bytes > 0)
        {
            QueueOf(item).Bytes += (long)access.Bytes - item.Bytes;
            (item.Bytes, item.ExpiresAt) = (access.Bytes, access.ExpiresAt);
            Shrink(index);
        }
        else if (!access.IsRead)
        {
            Remove(index); // It was deleted.
            return true;
        }

        item.Frequency = (byte)Math.Min(MaxFrequency, item.Frequency + 1);
        return true;
    }

    /// <summary>Has fewer keys be of it.</summary>
    public void Lower(uint threshold)
    {
        Threshold = threshold;
        _capacity = (long)(_size * Rate);
        for (var i = 0; i < _items.Length; i++)
        {
            if (_items[i].IsHeld && NumberOf(_items[i].Hash) >= threshold)
            {
                Remove(i);
            }
        }

        Shrink();
    }

    private static ushort Fingerprint(ulong hash) => (ushort)Math.Max(1, (hash >> 40) & ushort.MaxValue);

    private ref Queue QueueOf(in Item item)
    {
        ref var queue = ref _probation;
        if (item.IsMain)
        {
            queue = ref _main;
        }

        return ref queue;
    }

    private void Insert(in SampledAccess access)
    {
        while (_free == None)
        {
            Lower(Threshold / 2);
            if (NumberOf(access.Hash) >= Threshold)
            {
                return;
            }
        }

        var index = _free;
        ref var item = ref _items[index];
        _free = item.Next;
        item.Hash = access.Hash;
        item.Bytes = access.Bytes;
        item.ExpiresAt = access.ExpiresAt;
        item.Frequency = 0;
        item.IsHeld = true;
        item.IsMain = TryTakeGhost(access.Hash);
        Append(ref QueueOf(item), index);
        var place = PlaceOf(access.Hash);
        while (_places[place] != None)
        {
            place = (place + 1) & (_places.Length - 1);
        }

        _places[place] = index;
        Count++;
        Shrink(index);
    }

    /// <summary>Gives up keys until the others fit, but not the one that is being used.</summary>
    private void Shrink(int used = None)
    {
        while (_probation.Bytes + _main.Bytes > _capacity && Count > (used == None ? 0 : 1))
        {
            var fromProbation = _main.IsEmptyBut(used)
                || (!_probation.IsEmptyBut(used)
                    && _probation.Bytes * ProbationShare > _probation.Bytes + _main.Bytes);
            var index = fromProbation ? _probation.First : _main.First;
            ref var item = ref _items[index];
            if (index == used)
            {
                Move(index, toMain: item.IsMain);
            }
            else if (item.Frequency > 0 && ++_kept < LeastShareFreed)
            {
                item.Frequency = (byte)(fromProbation ? 0 : item.Frequency - 1);
                Move(index, toMain: true);
            }
            else
            {
                _kept = 0;
                if (fromProbation)
                {
                    Remember(item.Hash);
                }

                Remove(index);
            }
        }
    }

    private void Move(int index, bool toMain)
    {
        Unlink(index);
        _items[index].IsMain = toMain;
        Append(ref QueueOf(_items[index]), index);
    }

    private void Append(ref Queue queue, int index)
    {
        ref var item = ref _items[index];
        (item.Previous, item.Next) = (queue.Last, None);
        if (queue.Last == None)
        {
            queue.First = index;
        }
        else
        {
            _items[queue.Last].Next = index;
        }

        queue.Last = index;
        queue.Bytes += item.Bytes;
    }

    private void Unlink(int index)
    {
        ref var item = ref _items[index];
        ref var queue = ref QueueOf(item);
        if (item.Previous == None)
        {
            queue.First = item.Next;
        }
        else
        {
            _items[item.Previous].Next = item.Next;
        }

        if (item.Next == None)
        {
            queue.Last = item.Previous;
        }
        else
        {
            _items[item.Next].Previous = item.Previous;
        }

        queue.Bytes -= item.Bytes;
    }

    private void Remove(int index)
    {
        Unlink(index);
        var mask = _places.Length - 1;
        var hole = PlaceOf(_items[index].Hash);
        while (_places[hole] != index)
        {
            hole = (hole + 1) & mask;
        }

        for (var place = (hole + 1) & mask; _places[place] != None; place = (place + 1) & mask)
        {
            var wanted = PlaceOf(_items[_places[place]].Hash);
            if (((place - wanted) & mask) >= ((place - hole) & mask))
            {
                _places[hole] = _places[place];
                hole = place;
            }
        }

        _places[hole] = None;
        _items[index].IsHeld = false;
        _items[index].Next = _free;
        _free = index;
        Count--;
    }

    private int Find(ulong hash)
    {
        for (var place = PlaceOf(hash); _places[place] != None; place = (place + 1) & (_places.Length - 1))
        {
            if (_items[_places[place]].Hash == hash)
            {
                return _places[place];
            }
        }

        return None;
    }

    // The low bits: those of the sample number are alike for all keys that are drawn.
    private int PlaceOf(ulong hash) => (int)(hash * 0x9E3779B97F4A7C15UL >> 40) & (_places.Length - 1);

    private Span<ushort> GhostsOf(ulong hash)
    {
        var bucket = (int)((ulong)(uint)(hash * 0xD6E8FEB86659FD93UL >> 32) * (uint)_ghostBuckets >> 32);
        return _ghosts.AsSpan(bucket * GhostSlots, GhostSlots);
    }

    private void Remember(ulong hash)
    {
        var wanted = Math.Clamp(Count / 5, 1, _ghosts.Length / GhostSlots);
        if (_ghostBuckets < wanted / 2 || _ghostBuckets > wanted)
        {
            _ghostBuckets = Math.Max(1, wanted * 3 / 4);
            Array.Clear(_ghosts);
        }

        var bucket = GhostsOf(hash);
        bucket[..^1].CopyTo(bucket[1..]);
        bucket[0] = Fingerprint(hash);
    }

    private bool TryTakeGhost(ulong hash)
    {
        var bucket = GhostsOf(hash);
        var at = bucket.IndexOf(Fingerprint(hash));
        if (at >= 0)
        {
            bucket[at] = 0;
        }

        return at >= 0;
    }

    private struct Queue
    {
        public int First = None;
        public int Last = None;
        public long Bytes;

        public Queue()
        {
        }

        /// <summary>Whether it has no other key.</summary>
        public readonly bool IsEmptyBut(int index) => First == Last && (First == None || First == index);
    }

    private struct Item
    {
        public ulong Hash;
        public uint Bytes;
        public uint ExpiresAt;
        public int Next;
        public int Previous;
        public byte Frequency;
        public bool IsMain;
        public bool IsHeld;
    }
}
