using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>The keys of a small cache: they are found by their hash, and stand in queues, the oldest first. One thread.
/// </summary>
internal sealed class MiniCacheKeys
{
    /// <summary>No key.</summary>
    public const int None = -1;

    private readonly Entry[] _items;
    private readonly int[] _places;
    private readonly Queue[] _queues = new Queue[3];
    private int _free;

    /// <summary>No keys yet.</summary>
    /// <param name="capacity">How many there may be.</param>
    public MiniCacheKeys(int capacity)
    {
        _items = new Entry[capacity];
        _places = new int[HashPlaces.CountFor(capacity)];
        Array.Fill(_places, None);
        Array.Fill(_queues, new Queue());
        for (var i = 0; i < capacity; i++)
        {
            _items[i].Next = (i + 1 < capacity ? i + 1 : None);
        }
    }

    /// <summary>How many there may be.</summary>
    public int Capacity => _items.Length;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Above all numbers that keys have had. Below it nearly all are keys', or what is free is so by chance.
    /// </summary>
    public int Top { get; private set; }

    /// <summary>Whether there is no room for another one.</summary>
    public bool IsFull => _free == None;

    /// <summary>Bytes of all.</summary>
    public long Bytes => _queues[0].Bytes + _queues[1].Bytes + _queues[2].Bytes;

    /// <summary>A key by its number.</summary>
    public ref Entry this[int index] => ref _items[index];

    /// <summary>Memory for so many, bytes, about.</summary>
    public static int BytesFor(int capacity)
        => (capacity * Unsafe.SizeOf<Entry>()) + (HashPlaces.CountFor(capacity) * sizeof(int));

    /// <summary>Bytes of a queue's keys.</summary>
    public long BytesOf(MiniQueue queue) => _queues[(int)queue].Bytes;

    /// <summary>The oldest key of a queue.</summary>
    public int OldestOf(MiniQueue queue) => _queues[(int)queue].First;

    /// <summary>Whether a queue has no other key.</summary>
    public bool IsEmptyBut(MiniQueue queue, int index)
    {
        ref readonly var ends = ref _queues[(int)queue];
        return ends.First == ends.Last && (ends.First == None || ends.First == index);
    }

    /// <summary>The number of a key.</summary>
    public int Find(ulong hash)
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

    /// <summary>Has the memory come where <see cref="Find"/> will look first.</summary>
    public unsafe void PrefetchPlace(ulong hash)
    {
        if (Sse.IsSupported)
        {
            // An address alone, which nothing is read from: the array may as well move.
            Sse.Prefetch0(Unsafe.AsPointer(ref _places[PlaceOf(hash)]));
        }
    }

    /// <summary>Has the key come that may be the one, where its place has come.</summary>
    public unsafe void PrefetchKey(ulong hash)
    {
        var index = _places[PlaceOf(hash)];
        if (Sse.IsSupported && index != None)
        {
            Sse.Prefetch0(Unsafe.AsPointer(ref _items[index]));
        }
    }

    /// <summary>Adds a key that is not there, as the youngest of a queue; there is room.</summary>
    public int Add(in SampledAccess access, MiniQueue queue)
    {
        var index = _free;
        ref var item = ref _items[index];
        _free = item.Next;
        item.Hash = access.Hash;
        item.Bytes = access.Bytes;
        item.ExpiresAt = access.ExpiresAt;
        item.Frequency = 0;
        item.IsHeld = true;
        Append(index, queue);
        var place = PlaceOf(access.Hash);
        while (_places[place] != None)
        {
            place = (place + 1) & (_places.Length - 1);
        }

        _places[place] = index;
        Count++;
        Top = Math.Max(Top, index + 1);
        return index;
    }

    /// <summary>Takes over what a key takes now.</summary>
    public void Resize(int index, uint bytes)
    {
        ref var item = ref _items[index];
        _queues[(int)item.Queue].Bytes += (long)bytes - item.Bytes;
        item.Bytes = bytes;
    }

    /// <summary>Makes a key the youngest of a queue.</summary>
    public void Move(int index, MiniQueue queue)
    {
        Unlink(index);
        Append(index, queue);
    }

    /// <summary>Takes a key out.</summary>
    public void Remove(int index)
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

    private int PlaceOf(ulong hash) => HashPlaces.Of(hash, _places.Length);

    private void Append(int index, MiniQueue to)
    {
        ref var item = ref _items[index];
        ref var queue = ref _queues[(int)to];
        (item.Queue, item.Previous, item.Next) = (to, queue.Last, None);
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
        ref var queue = ref _queues[(int)item.Queue];
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

    /// <summary>A key.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = sizeof(int))]
    internal struct Entry
    {
        /// <summary>Its hash.</summary>
        public ulong Hash;

        /// <summary>Memory that it takes.</summary>
        public uint Bytes;

        /// <summary>When it expires, seconds since 1970; 0 for never.</summary>
        public uint ExpiresAt;

        /// <summary>How often it was read, as the index counts that.</summary>
        public byte Frequency;

        /// <summary>Where it is.</summary>
        public MiniQueue Queue;

        /// <summary>Whether it is a key, and not free.</summary>
        public bool IsHeld;

        internal int Next;
        internal int Previous;
    }

    private struct Queue
    {
        public int First = None;
        public int Last = None;
        public long Bytes;

        public Queue()
        {
        }
    }
}
