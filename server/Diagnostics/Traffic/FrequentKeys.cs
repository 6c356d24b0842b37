using System.Numerics;
using System.Runtime.CompilerServices;
using Strata.Storage.Index;

namespace Strata.Server.Diagnostics.Traffic;

/// <summary>
/// The most frequent keys of a stream of any number, in bounded memory: Space-Saving (Metwally, Agrawal, El Abbadi,
/// "Efficient computation of frequent and top-k elements in data streams", ICDT 2005), with weights. A key that is not
/// watched takes the place of the one with the least weight, and that weight, as its error: so no key's weight is too
/// low, or too high by more than its error, and every key is watched that has more than its part, one of <see
/// cref="Capacity"/>, of all weight. The weights add up to what was added.
/// </summary>
internal sealed class FrequentKeys
{
    private readonly WatchedKey[] _keys;
    private readonly byte[] _bytes;

    // Keys by weight, the least first, each at most as its two children.
    private readonly short[] _heap;

    // Where keys are by their hash, plus one; zero for a free place.
    private readonly short[] _places;

    /// <summary>None yet.</summary>
    /// <param name="capacity">How many keys are watched.</param>
    public FrequentKeys(int capacity)
    {
        _keys = new WatchedKey[capacity];
        _bytes = new byte[capacity * TrafficLimits.HotKeyBytes];
        _heap = new short[capacity];
        _places = new short[PlacesFor(capacity)];
    }

    /// <summary>How many keys can be watched.</summary>
    public int Capacity => _keys.Length;

    /// <summary>How many are.</summary>
    public int Count { get; private set; }

    /// <summary>Memory for so many keys, bytes, about.</summary>
    public static int BytesFor(int capacity)
        => (capacity * (Unsafe.SizeOf<WatchedKey>() + TrafficLimits.HotKeyBytes + sizeof(short)))
            + (PlacesFor(capacity) * sizeof(short));

    /// <summary>The keys that are watched, in no order.</summary>
    public ReadOnlySpan<WatchedKey> Keys => _keys.AsSpan(0, Count);

    /// <summary>What is kept of their bytes, <see cref="TrafficLimits.HotKeyBytes"/> of room for each.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, Count * TrafficLimits.HotKeyBytes);

    /// <summary>Adds to the weight of a key.</summary>
    public void Add(in Key key, double weight)
    {
        var index = Find(key.Hash);
        if (index < 0)
        {
            index = Count < Capacity ? Begin() : GiveUpLeast();
            Watch(index, key);
        }

        _keys[index].Weight += weight;
        Sink(index);
    }

    /// <summary>Multiplies all weights.</summary>
    public void Scale(double factor)
    {
        foreach (ref var key in _keys.AsSpan(0, Count))
        {
            key.Weight *= factor;
            key.Error *= factor;
        }
    }

    private static int PlacesFor(int capacity) => (int)BitOperations.RoundUpToPowerOf2((uint)capacity * 2);

    private int PlaceOf(ulong hash) => (int)(hash >> 32) & (_places.Length - 1);

    private int Find(ulong hash)
    {
        for (var place = PlaceOf(hash); _places[place] != 0; place = (place + 1) & (_places.Length - 1))
        {
            var index = _places[place] - 1;
            if (_keys[index].Hash == hash)
            {
                return index;
            }
        }

        return -1;
    }

    /// <summary>Gives a number that no key has; it comes first in the heap.</summary>
    private int Begin()
    {
        var index = Count++;
        _keys[index].Weight = 0;
        var place = index;
        for (; place > 0; place = (place - 1) / 2)
        {
            Put(_heap[(place - 1) / 2], place);
        }

        Put((short)index, 0);
        return index;
    }

    /// <summary>Gives the number of the key with the least weight, which is watched no longer.</summary>
    private int GiveUpLeast()
    {
        var index = _heap[0];
        Forget(_keys[index].Hash);
        return index;
    }

    private void Watch(int index, in Key key)
    {
        ref var watched = ref _keys[index];
        watched.Hash = key.Hash;
        watched.Error = watched.Weight;
        watched.Length = key.Length;
        watched.Database = key.Database;
        var kept = Math.Min(key.Length, TrafficLimits.HotKeyBytes);
        key.Span[..kept].CopyTo(_bytes.AsSpan(index * TrafficLimits.HotKeyBytes));
        var place = PlaceOf(key.Hash);
        while (_places[place] != 0)
        {
            place = (place + 1) & (_places.Length - 1);
        }

        _places[place] = (short)(index + 1);
    }

    /// <summary>Takes a hash out of the table: what stands behind it, and would not be found any more, moves up.
    /// </summary>
    private void Forget(ulong hash)
    {
        var mask = _places.Length - 1;
        var free = PlaceOf(hash);
        while (_keys[_places[free] - 1].Hash != hash)
        {
            free = (free + 1) & mask;
        }

        for (var place = (free + 1) & mask; _places[place] != 0; place = (place + 1) & mask)
        {
            var wanted = PlaceOf(_keys[_places[place] - 1].Hash);
            if (((place - wanted) & mask) >= ((place - free) & mask))
            {
                _places[free] = _places[place];
                free = place;
            }
        }

        _places[free] = 0;
    }

    /// <summary>Restores the heap's order below a key that has become heavier.</summary>
    private void Sink(int index)
    {
        var weight = _keys[index].Weight;
        var place = (int)_keys[index].Place;
        while (true)
        {
            var child = (2 * place) + 1;
            if (child >= Count)
            {
                break;
            }

            if (child + 1 < Count && _keys[_heap[child + 1]].Weight < _keys[_heap[child]].Weight)
            {
                child++;
            }

            if (_keys[_heap[child]].Weight >= weight)
            {
                break;
            }

            Put(_heap[child], place);
            place = child;
        }

        Put((short)index, place);
    }

    private void Put(short index, int place)
    {
        _heap[place] = index;
        _keys[index].Place = (short)place;
    }
}
