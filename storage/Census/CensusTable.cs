using System.Numerics;
using System.Runtime.CompilerServices;
using Strata.Storage.Index;

namespace Strata.Storage.Census;

/// <summary>A bounded number of keys, found by their hash or by the part of it that the index knows. One thread changes
/// them; any may copy them (<see cref="TryCopy"/>).</summary>
internal sealed class CensusTable
{
    private const uint Spread = 0x9E37_79B1;

    private readonly CensusEntry[] _entries;
    private readonly byte[] _bytes;
    private readonly int _shift;

    // Where keys are by their number, plus one; zero for a free place.
    private readonly short[] _places;

    // Odd while keys come or go (a sequence lock). What is known of a key may be changed at any time.
    private uint _version;

    /// <summary>None yet.</summary>
    /// <param name="capacity">How many there may be.</param>
    public CensusTable(int capacity)
    {
        _entries = new CensusEntry[capacity];
        _bytes = new byte[capacity * CensusLimits.KeyBytes];
        _places = new short[PlacesFor(capacity)];
        _shift = 32 - BitOperations.Log2((uint)_places.Length);
    }

    /// <summary>How many there may be.</summary>
    public int Capacity => _entries.Length;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    public bool IsFull => Count == Capacity;

    /// <summary>The keys, in no order.</summary>
    public Span<CensusEntry> Entries => _entries.AsSpan(0, Count);

    /// <summary>Memory for so many keys, bytes, about.</summary>
    public static long BytesFor(int capacity)
        => (capacity * (Unsafe.SizeOf<CensusEntry>() + (long)CensusLimits.KeyBytes))
            + (PlacesFor(capacity) * sizeof(short));

    /// <summary>Where a key stands, or -1.</summary>
    public int Find(ulong hash)
    {
        for (var place = PlaceOf(hash); _places[place] != 0; place = Next(place))
        {
            if (_entries[_places[place] - 1].Hash == hash)
            {
                return _places[place] - 1;
            }
        }

        return -1;
    }

    /// <summary>Whether there is a key of a number whose record was at an address when it was looked up last, or may
    /// have been.</summary>
    public bool Has(uint number, ulong address)
    {
        for (var place = PlaceOf(number); _places[place] != 0; place = Next(place))
        {
            ref readonly var entry = ref _entries[_places[place] - 1];
            if (KeyHash.NumberOf(entry.Hash) == number && (entry.Address == address || !entry.IsCold))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds a key that is not there; there must be room.</summary>
    /// <param name="key">The key.</param>
    /// <param name="address">Where its record is.</param>
    /// <param name="bytes">What it takes.</param>
    public void Add(in Key key, ulong address, long bytes)
    {
        Invariant.Check(!IsFull, "a key is known where there is room");
        Begin();
        var index = Count++;
        _entries[index] = new CensusEntry
        {
            Hash = key.Hash,
            Address = address,
            Bytes = bytes,
            KeyLength = key.Length,
            Database = key.Database,
        };
        var kept = Math.Min(key.Length, CensusLimits.KeyBytes);
        key.Span[..kept].CopyTo(_bytes.AsSpan(index * CensusLimits.KeyBytes));
        Place(index);
        End();
    }

    /// <summary>Notes what a key takes by now; its record is in memory.</summary>
    public void Set(int index, ulong address, long bytes)
    {
        ref var entry = ref _entries[index];
        (entry.Address, entry.Bytes, entry.IsCold) = (address, bytes, false);
    }

    /// <summary>Copies the keys whose number is below a threshold. Any thread; it waits for nobody.</summary>
    /// <returns>False where keys came or went again and again: what was copied is of no use.</returns>
    public bool TryCopy(uint below, CensusKeys copy)
    {
        for (var attempt = 0; attempt < CensusKeys.Attempts; attempt++)
        {
            var version = Volatile.Read(ref _version);
            if ((version & 1) == 0)
            {
                copy.Take(_entries, _bytes, Count, below);
                Volatile.ReadBarrier();
                if (Volatile.Read(ref _version) == version)
                {
                    return true;
                }
            }

            Thread.SpinWait(1);
        }

        return false;
    }

    /// <summary>Whether what is kept of a key's name is what another begins with, of the same length.</summary>
    public bool HasName(int index, ReadOnlySpan<byte> name)
    {
        var kept = Math.Min(name.Length, CensusLimits.KeyBytes);
        return _entries[index].KeyLength == name.Length
            && _bytes.AsSpan(index * CensusLimits.KeyBytes, kept).SequenceEqual(name[..kept]);
    }

    /// <summary>Takes a key out; the last one takes its place.</summary>
    public void RemoveAt(int index)
    {
        Begin();
        Forget(index);
        var last = --Count;
        if (last != index)
        {
            Forget(last);
            _entries[index] = _entries[last];
            _bytes.AsSpan(last * CensusLimits.KeyBytes, CensusLimits.KeyBytes)
                .CopyTo(_bytes.AsSpan(index * CensusLimits.KeyBytes));
            Place(index);
        }

        End();
    }

    /// <summary>Takes the keys of a database out.</summary>
    public void RemoveOf(int database)
    {
        for (var i = Count - 1; i >= 0; i--)
        {
            if (_entries[i].Database == database)
            {
                RemoveAt(i);
            }
        }
    }

    /// <summary>Takes all keys out.</summary>
    public void Clear()
    {
        Begin();
        Count = 0;
        Array.Clear(_places);
        End();
    }

    private static int PlacesFor(int capacity) => (int)BitOperations.RoundUpToPowerOf2((uint)capacity * 2);

    private void Begin()
    {
        Volatile.Write(ref _version, _version + 1);
        Volatile.WriteBarrier();
    }

    private void End() => Volatile.Write(ref _version, _version + 1);

    private int PlaceOf(ulong hash) => (int)((KeyHash.NumberOf(hash) * Spread) >> _shift);

    private int Next(int place) => (place + 1) & (_places.Length - 1);

    private void Place(int index)
    {
        var place = PlaceOf(_entries[index].Hash);
        while (_places[place] != 0)
        {
            place = Next(place);
        }

        _places[place] = (short)(index + 1);
    }

    /// <summary>Frees a key's place: what stands behind it, and would not be found any more, moves up.</summary>
    private void Forget(int index)
    {
        var free = PlaceOf(_entries[index].Hash);
        while (_places[free] != index + 1)
        {
            free = Next(free);
        }

        for (var place = Next(free); _places[place] != 0; place = Next(place))
        {
            var wanted = PlaceOf(_entries[_places[place] - 1].Hash);
            if (((place - wanted) & (_places.Length - 1)) >= ((place - free) & (_places.Length - 1)))
            {
                _places[free] = _places[place];
                free = place;
            }
        }

        _places[free] = 0;
    }
}
