using Strata.Storage.Log;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Caches of other sizes in small, and how they have done. One thread at a time lets keys be used; any may
/// ask.</summary>
internal sealed class CurveSimulation
{
    private readonly MiniCache[] _caches;

    // In a cache that draws more keys than before, and has not got them yet, only those count whose number is below
    // this, until so late at most.
    private readonly uint[] _countedBelow;
    private readonly long[] _warmUntil;
    private readonly long[] _ampleSince;
    private long _nowSeconds;

    /// <summary>Empty caches.</summary>
    /// <param name="threshold">Where each of them begins to draw keys.</param>
    /// <param name="keysPerCache">How many keys each can hold.</param>
    public CurveSimulation(uint threshold, int keysPerCache)
    {
        Threshold = threshold;
        KeysPerCache = keysPerCache;
        var factors = TrafficLimits.CurveFactors;
        _caches = [.. factors.Select(_ => new MiniCache(keysPerCache, threshold))];
        _warmUntil = new long[factors.Count];
        _ampleSince = new long[factors.Count];
        _countedBelow = new uint[factors.Count];
        Array.Fill(_countedBelow, threshold);
        Hour = new CurveWindow(factors.Count, TrafficLimits.CurveHourSeconds, TrafficLimits.CurvePeriodsOfHour);
        Day = new CurveWindow(factors.Count, TrafficLimits.CurveDaySeconds, TrafficLimits.CurvePeriodsOfDay);
        Keys = new KeyReads(TrafficLimits.CurveNamedKeys, factors.Count, threshold);
    }

    /// <summary>How many keys each cache can hold.</summary>
    public int KeysPerCache { get; }

    /// <summary>How many caches there are.</summary>
    public int Caches => _caches.Length;

    /// <summary>The last hour.</summary>
    public CurveWindow Hour { get; }

    /// <summary>The last day.</summary>
    public CurveWindow Day { get; }

    /// <summary>Both, key by key.</summary>
    public KeyReads Keys { get; }

    /// <summary>Keys so hot that it would be much whether chance draws them: how much they are read is counted
    /// elsewhere.</summary>
    public IReadOnlySet<ulong> HotKeys { get; set; } = new HashSet<ulong>();

    /// <summary>Which keys the caches give up.</summary>
    public EvictionPolicy Policy
    {
        get => _caches[0].Policy;
        set
        {
            foreach (var cache in _caches)
            {
                cache.Policy = value;
            }
        }
    }

    /// <summary>Keys whose number is below are of some cache.</summary>
    public uint Threshold { get; private set; }

    /// <summary>Memory, bytes, about.</summary>
    public static int BytesFor(int keysPerCache)
        => TrafficLimits.CurveFactors.Count * MiniCache.BytesFor(keysPerCache)
            + CurveWindow.BytesFor(TrafficLimits.CurveFactors.Count, TrafficLimits.CurvePeriodsOfHour)
            + CurveWindow.BytesFor(TrafficLimits.CurveFactors.Count, TrafficLimits.CurvePeriodsOfDay)
            + KeyReads.BytesFor(TrafficLimits.CurveNamedKeys, TrafficLimits.CurveFactors.Count);

    /// <summary>Takes over how much memory there is for keys and their values, bytes.</summary>
    public void SetMemory(double bytes)
    {
        for (var i = 0; i < _caches.Length; i++)
        {
            _caches[i].SizeBytes = bytes * TrafficLimits.CurveFactors[i];
        }
    }

    /// <summary>The time has gone on, and there were reads, of all keys; those of the drawn ones come next.</summary>
    public void CountReads(in ReadTotals reads, long nowSeconds)
    {
        _nowSeconds = nowSeconds;
        Hour.Advance(nowSeconds);
        Day.Advance(nowSeconds);
        Keys.Advance(nowSeconds);
        Keys.CountReads(reads);
        for (var i = 0; i < _caches.Length; i++)
        {
            var isWarm = _caches[i].HasEvicted || _warmUntil[i] <= nowSeconds;
            var threshold = _caches[i].Threshold;
            _countedBelow[i] = isWarm ? threshold : Math.Min(threshold, _countedBelow[i]);
            Keys.NoteThreshold(i, _countedBelow[i]);
            if (_countedBelow[i] > 0)
            {
                Hour.CountReads(i, reads);
                Day.CountReads(i, reads);
            }
        }
    }

    /// <summary>Lets a key be used.</summary>
    public void Use(in SampledAccess access)
    {
        // All caches' memory comes at once, not one after the other.
        foreach (var cache in _caches)
        {
            cache.PrefetchPlace(access.Hash);
        }

        foreach (var cache in _caches)
        {
            cache.PrefetchKey(access.Hash);
        }

        var number = MiniCache.NumberOf(access.Hash);
        var counts = access.IsRead && !HotKeys.Contains(access.Hash);
        var misses = 0U;
        var highest = 0U;
        for (var i = 0; i < _caches.Length; i++)
        {
            var cache = _caches[i];
            if (number < cache.Threshold)
            {
                var below = Math.Min(_countedBelow[i], cache.Threshold);
                var isMiss = !Use(i, access);
                if (counts && number < below)
                {
                    var weight = (float)uint.MaxValue / below;
                    misses |= isMiss ? 1U << i : 0;
                    Hour.Count(i, weight, access, isMiss);
                    Day.Count(i, weight, access, isMiss);
                }
            }

            highest = Math.Max(highest, cache.Threshold);
        }

        Threshold = highest;
        if (counts && number < Keys.Threshold)
        {
            Keys.Note(access, (float)uint.MaxValue / Keys.Threshold, misses);
        }
    }

    /// <summary>Has no cache draw more keys than so.</summary>
    public void Lower(uint threshold)
    {
        foreach (var cache in _caches)
        {
            if (cache.Threshold > threshold)
            {
                cache.Lower(threshold);
            }
        }

        Threshold = Math.Min(Threshold, threshold);
    }

    /// <summary>Has those caches draw more keys that have had room for four times as many for a while.</summary>
    /// <param name="limit">The highest threshold.</param>
    /// <param name="nowSeconds">The time.</param>
    public void Raise(uint limit, long nowSeconds)
    {
        for (var i = 0; i < _caches.Length; i++)
        {
            var cache = _caches[i];
            if (_ampleSince[i] == 0 || cache.Count > KeysPerCache / 4 || cache.Threshold > limit / 2)
            {
                _ampleSince[i] = nowSeconds;
            }
            else if (nowSeconds - _ampleSince[i] >= TrafficLimits.CurveAmpleSeconds)
            {
                var threshold = cache.Threshold;
                for (var count = Math.Max(1, cache.Count); count <= KeysPerCache / 4 && threshold <= limit / 2;)
                {
                    (threshold, count) = (threshold * 2, count * 2);
                }

                _ampleSince[i] = nowSeconds;
                Raise(i, threshold, nowSeconds);
            }
        }

        Keys.Raise(Threshold);
    }

    /// <summary>The curve of a window.</summary>
    public IEnumerable<CurvePoint> Of(CurveWindow window)
    {
        for (var i = 0; i < _caches.Length; i++)
        {
            var (ratio, error) = window.HitRatioOf(i);
            yield return new CurvePoint(TrafficLimits.CurveFactors[i], ratio, error, _caches[i].Count);
        }
    }

    /// <summary>Has a cache draw more keys. One that has given up some does not count until it is full again; of one
    /// that has room for all the keys that it had go on to count, as others take nothing from them.</summary>
    private void Raise(int index, uint threshold, long nowSeconds)
    {
        var cache = _caches[index];
        var isFull = cache.HasEvicted;
        _countedBelow[index] = cache.Count == 0 ? threshold : isFull ? 0 : _countedBelow[index];
        _warmUntil[index] = cache.Count == 0 ? 0
            : nowSeconds + (isFull ? TrafficLimits.CurveWarmUpSeconds : TrafficLimits.CurveHourSeconds);
        cache.Raise(threshold);
        Threshold = Math.Max(Threshold, threshold);
    }

    /// <summary>Lets a key be used in one cache. What the server itself has, one that is larger and has given up
    /// nothing yet has, too: it was there before this one began.</summary>
    private bool Use(int cache, in SampledAccess access)
        => _caches[cache].Use(access, (uint)_nowSeconds)
            | (TrafficLimits.CurveFactors[cache] >= 1 && !_caches[cache].HasEvicted
                && !access.IsMissed && !access.IsUnclear);
}
