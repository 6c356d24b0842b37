using System.Runtime.CompilerServices;
using Strata.Storage.Runtime;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// What became of the reads of keys that were drawn, key by key with their names, so that it can be told of a part of
/// them. It is of the last hour and the last day, each in a few spans that are forgotten one by one. Where there are
/// more keys than room, fewer are drawn, and more again when there is room: in a span those count that were drawn all
/// the time. One thread writes; any may read, and what is changed meanwhile may be off by what came in a moment.
/// </summary>
internal sealed class KeyReads
{
    /// <summary>What is counted of a key in a span: its reads, those that the server itself has missed, and, from this
    /// number on, the misses of each cache.</summary>
    public const int FirstMisses = 2;

    private const int None = -1;

    // Where the keys that are read no more make so little room, fewer are drawn.
    private const int LeastShareFreed = 8;

    // Filled to less than that part, it has room for twice as many.
    private const int AmpleParts = 4;

    private readonly int _caches;
    private readonly ulong[] _hashes;
    private readonly SampledName[] _names;
    private readonly int[] _places;
    private readonly KeySpan[] _spans;
    private uint _coin = 1;

    /// <summary>Nothing was read yet.</summary>
    /// <param name="capacity">How many keys there may be.</param>
    /// <param name="caches">How many caches are simulated.</param>
    /// <param name="threshold">Where it begins to draw keys.</param>
    public KeyReads(int capacity, int caches, uint threshold)
    {
        _caches = caches;
        Threshold = threshold;
        _hashes = new ulong[capacity];
        _names = new SampledName[capacity];
        _places = new int[HashPlaces.CountFor(capacity)];
        Array.Fill(_places, None);
        _spans = new KeySpan[2 * TrafficLimits.CurveSpans];
        for (var i = 0; i < _spans.Length; i++)
        {
            _spans[i] = new KeySpan(capacity, caches);
        }
    }

    /// <summary>Keys are noted whose number is below.</summary>
    public uint Threshold { get; private set; }

    /// <summary>How many keys there may be.</summary>
    public int Capacity => _hashes.Length;

    /// <summary>How many there are: they have the first numbers.</summary>
    public int Count { get; private set; }

    /// <summary>The spans of the hour.</summary>
    public ReadOnlySpan<KeySpan> Hour => _spans.AsSpan(0, TrafficLimits.CurveSpans);

    /// <summary>The spans of the day.</summary>
    public ReadOnlySpan<KeySpan> Day => _spans.AsSpan(TrafficLimits.CurveSpans);

    /// <summary>Memory for so many, bytes, about.</summary>
    public static int BytesFor(int capacity, int caches)
        => (capacity * (sizeof(ulong) + Unsafe.SizeOf<SampledName>())) + (HashPlaces.CountFor(capacity) * sizeof(int))
            + (2 * TrafficLimits.CurveSpans * KeySpan.BytesFor(capacity, caches));

    /// <summary>Whose reads they are.</summary>
    public ulong HashOf(int index) => Volatile.Read(ref _hashes[index]);

    /// <summary>What a key is called.</summary>
    public ref readonly SampledName NameOf(int index) => ref _names[index];

    /// <summary>The spans that it is now.</summary>
    /// <param name="nowSeconds">The time.</param>
    public void Advance(long nowSeconds)
    {
        Advance(Hour, nowSeconds / (TrafficLimits.CurveHourSeconds / TrafficLimits.CurveSpans));
        Advance(Day, nowSeconds / (TrafficLimits.CurveDaySeconds / TrafficLimits.CurveSpans));
    }

    /// <summary>Counts reads, of all keys.</summary>
    public void CountReads(in ReadTotals reads)
    {
        Newest(Hour).Totals.Add(reads);
        Newest(Day).Totals.Add(reads);
    }

    /// <summary>For a cache only such keys count from now on.</summary>
    /// <param name="cache">Which one.</param>
    /// <param name="threshold">Those whose number is below; 0 where it does not count.</param>
    public void NoteThreshold(int cache, uint threshold)
    {
        threshold = Math.Min(threshold, Threshold);
        Newest(Hour).Lower(cache, threshold);
        Newest(Day).Lower(cache, threshold);
    }

    /// <summary>Counts a read of a key that was drawn.</summary>
    /// <param name="access">The read.</param>
    /// <param name="weight">For how many it stands.</param>
    /// <param name="misses">A bit for each cache that did not have the key.</param>
    public void Note(in SampledAccess access, float weight, uint misses)
    {
        var index = _places[Find(access.Hash)];
        if (index == None && !TryAdd(access, out index))
        {
            return;
        }

        _coin = XorShift.Next(_coin);
        foreach (var span in (ReadOnlySpan<KeySpan>)[Newest(Hour), Newest(Day)])
        {
            span.Totals.Unclear += access.IsUnclear ? weight : 0;
            span.Count(index, access.IsMissed, misses, _coin);
        }
    }

    /// <summary>Draws twice as many keys, where it has room for them.</summary>
    /// <param name="limit">The highest threshold.</param>
    public void Raise(uint limit)
    {
        Purge();
        if (Count <= Capacity / AmpleParts && Threshold <= limit / 2)
        {
            Threshold *= 2; // The spans that have begun know that they were not drawn.
        }
    }

    /// <summary>The span that it is now.</summary>
    public static KeySpan Newest(ReadOnlySpan<KeySpan> spans)
    {
        var newest = spans[0];
        foreach (var span in spans)
        {
            newest = span.Number > newest.Number ? span : newest;
        }

        return newest;
    }

    /// <summary>Begins a span, and forgets those that have become too old. A clock that was set back waits.</summary>
    private static void Advance(ReadOnlySpan<KeySpan> spans, long number)
    {
        if (number <= Newest(spans).Number)
        {
            return;
        }

        foreach (var span in spans)
        {
            if (span.Number >= 0 && span.Number <= number - spans.Length)
            {
                span.Begin(-1);
            }
        }

        spans[(int)(number % spans.Length)].Begin(number);
    }

    private int Find(ulong hash)
    {
        var place = HashPlaces.Of(hash, _places.Length);
        while (_places[place] != None && _hashes[_places[place]] != hash)
        {
            place = (place + 1) & (_places.Length - 1);
        }

        return place;
    }

    private bool TryAdd(in SampledAccess access, out int index)
    {
        if (Count == Capacity)
        {
            Purge();
            while (Count > Capacity - (Capacity / LeastShareFreed))
            {
                Lower();
            }
        }

        index = Count;
        if (MiniCache.NumberOf(access.Hash) >= Threshold)
        {
            return false;
        }

        _names[index] = access.Name;
        Volatile.Write(ref _hashes[index], access.Hash);
        _places[Find(access.Hash)] = index;
        Count++;
        return true;
    }

    /// <summary>Forgets the keys that were not read for long.</summary>
    private void Purge()
        => KeepWhere(index =>
        {
            foreach (var span in _spans)
            {
                if (span.WasRead(index))
                {
                    return true;
                }
            }

            return false;
        });

    private void Lower()
    {
        Threshold /= 2;
        KeepWhere(index => MiniCache.NumberOf(_hashes[index]) < Threshold);
        foreach (var span in _spans)
        {
            for (var cache = 0; cache < _caches; cache++)
            {
                span.Lower(cache, Threshold);
            }
        }
    }

    private void KeepWhere(Func<int, bool> isKept)
    {
        var end = Count;
        Count = 0;
        for (var index = 0; index < end; index++)
        {
            if (isKept(index))
            {
                MoveTo(Count++, index);
            }
        }

        Array.Fill(_places, None);
        for (var index = 0; index < end; index++)
        {
            if (index < Count)
            {
                _places[Find(_hashes[index])] = index;
            }
            else
            {
                Volatile.Write(ref _hashes[index], 0);
                foreach (var span in _spans)
                {
                    span.Forget(index);
                }
            }
        }
    }

    private void MoveTo(int to, int index)
    {
        if (to == index)
        {
            return;
        }

        Volatile.Write(ref _hashes[to], 0);
        _names[to] = _names[index];
        foreach (var span in _spans)
        {
            span.Copy(index, to);
        }

        Volatile.Write(ref _hashes[to], _hashes[index]);
    }
}
