namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Caches of other sizes in small, and how they have done. One thread at a time lets keys be used; any may
/// ask.</summary>
internal sealed class CurveSimulation
{
    private readonly MiniCache[] _caches;

    /// <summary>Empty caches.</summary>
    /// <param name="threshold">Where each of them begins to draw keys; it only falls.</param>
    /// <param name="keysPerCache">How many keys each can hold.</param>
    public CurveSimulation(uint threshold, int keysPerCache)
    {
        Threshold = threshold;
        var factors = TrafficLimits.CurveFactors;
        _caches = [.. factors.Select(_ => new MiniCache(keysPerCache, threshold))];
        Hour = new CurveWindow(factors.Count, 60 * 60, TrafficLimits.CurvePeriodsOfHour);
        Day = new CurveWindow(factors.Count, 24 * 60 * 60, TrafficLimits.CurvePeriodsOfDay);
    }

    /// <summary>The last hour.</summary>
    public CurveWindow Hour { get; }

    /// <summary>The last day.</summary>
    public CurveWindow Day { get; }

    /// <summary>Keys so hot that it would be much whether chance draws them. How much they are read is known, and every
    /// cache has them.</summary>
    public IReadOnlySet<ulong> HotKeys { get; set; } = new HashSet<ulong>();

    /// <summary>Keys whose number is below are of some cache.</summary>
    public uint Threshold { get; private set; }

    /// <summary>Memory, bytes, about.</summary>
    public static int BytesFor(int keysPerCache)
        => TrafficLimits.CurveFactors.Count * MiniCache.BytesFor(keysPerCache)
            + CurveWindow.BytesFor(TrafficLimits.CurveFactors.Count, TrafficLimits.CurvePeriodsOfHour)
            + CurveWindow.BytesFor(TrafficLimits.CurveFactors.Count, TrafficLimits.CurvePeriodsOfDay);

    /// <summary>Takes over how much memory there is for keys and their values, bytes.</summary>
    public void SetMemory(double bytes)
    {
        for (var i = 0; i < _caches.Length; i++)
        {
            _caches[i].SizeBytes = bytes * TrafficLimits.CurveFactors[i];
        }
    }

    /// <summary>Counts reads, of all keys.</summary>
    /// <param name="hot">Those of <see cref="HotKeys"/>.</param>
    /// <param name="reads">Those of all.</param>
    /// <param name="nowSeconds">The time.</param>
    public void CountReads(long reads, long hot, long nowSeconds)
    {
        Hour.CountReads(reads, hot, nowSeconds);
        Day.CountReads(reads, hot, nowSeconds);
    }

    /// <summary>Lets a key be used.</summary>
    public void Use(in SampledAccess access, long nowSeconds)
    {
        var number = MiniCache.NumberOf(access.Hash);
        var group = CurveWindow.GroupOf(access.Hash);
        var isHot = HotKeys.Contains(access.Hash);
        var highest = 0U;
        for (var i = 0; i < _caches.Length; i++)
        {
            var cache = _caches[i];
            if (number < cache.Threshold)
            {
                var weight = (float)(1 / cache.Rate);
                var isMiss = !cache.Use(access, (uint)nowSeconds);
                if (access.IsRead && !isHot)
                {
                    Hour.Count(i, group, weight, isMiss);
                    Day.Count(i, group, weight, isMiss);
                }
            }

            highest = Math.Max(highest, cache.Threshold);
        }

        Threshold = highest;
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

    /// <summary>The curve of a window.</summary>
    public IEnumerable<CurvePoint> Of(CurveWindow window)
    {
        for (var i = 0; i < _caches.Length; i++)
        {
            var (ratio, error) = window.HitRatioOf(i);
            yield return new CurvePoint(TrafficLimits.CurveFactors[i], ratio, error, _caches[i].Count);
        }
    }
}
