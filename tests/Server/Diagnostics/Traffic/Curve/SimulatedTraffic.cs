using Strata.Server;
using Strata.Server.Diagnostics.Traffic.Curve;

namespace Strata.Tests.Server.Diagnostics.Traffic.Curve;

/// <summary>Reads, where what is missing is set, of a server and of such with other memory, and the curve that is made
/// of some of their keys.</summary>
internal sealed class SimulatedTraffic
{
    private readonly List<MiniCache> _exact;
    private readonly int _own;
    private readonly long[] _hits;
    private readonly Dictionary<ulong, int> _counts = [];
    private long _reads;
    private ReadTotals _period;
    private double _hotPart;

    public SimulatedTraffic(double memory, int keys, uint threshold)
    {
        var factors = TrafficLimits.CurveFactors;
        _exact = [.. factors.Select(factor => new MiniCache(keys, uint.MaxValue) { SizeBytes = factor * memory })];
        _own = factors.ToList().IndexOf(1);
        _hits = new long[factors.Count];
        Simulation = new CurveSimulation(threshold, TrafficLimits.CurveKeysPerCache);
        Simulation.SetMemory(memory);
        Simulation.CountReads(default, nowSeconds: 1_000_000);
    }

    public CurveSimulation Simulation { get; }

    /// <summary>Whether keys that are read much count by themselves, as the server does of its own hot keys.</summary>
    public bool KnowsHotKeys { get; init; } = true;

    /// <summary>Reads a key.</summary>
    /// <returns>Which of the caches, by a bit for each, did not have it.</returns>
    public uint Read(ulong hash, uint bytes, in SampledName name)
    {
        var isFound = Use(new SampledAccess(hash, bytes, 0, IsRead: true), _own);
        var read = new SampledAccess(hash, isFound ? bytes : 0, 0, IsRead: true) { Name = name };
        var misses = isFound ? 0U : 1U << _own;
        for (var cache = 0; cache < _exact.Count; cache++)
        {
            misses |= cache == _own || Use(read, cache) ? 0 : 1U << cache;
        }

        Draw(read);
        if (!isFound)
        {
            var set = new SampledAccess(hash, bytes, 0, IsRead: false) { Name = name };
            for (var cache = 0; cache < _exact.Count; cache++)
            {
                _ = cache != _own && _exact[cache].Use(set, now: 0);
            }

            Draw(set);
        }

        _reads++;
        _period.Reads++;
        _period.Lookups++;
        _period.Missed += isFound ? 0 : 1;
        _counts[hash] = _counts.GetValueOrDefault(hash) + 1;
        return misses;
    }

    /// <summary>Tells the simulation how many there were.</summary>
    public void EndPeriod(long nowSeconds)
    {
        _period.Hot = _hotPart * _period.Reads;
        Simulation.CountReads(_period, nowSeconds);
        if (KnowsHotKeys)
        {
            var hot = _counts.Where(count => count.Value > TrafficLimits.CurveHotShare * _period.Reads).ToList();
            _hotPart = hot.Sum(static count => count.Value) / _period.Reads;
            Simulation.HotKeys = hot.Select(static count => count.Key).ToHashSet();
        }

        _counts.Clear();
        _period = default;
    }

    /// <summary>By how much a curve is off, of each size.</summary>
    public List<double> Off(IEnumerable<CurvePoint> curve)
        => [.. curve.Select((point, cache) => Math.Abs(point.HitRatio - ((double)_hits[cache] / _reads)))];

    private bool Use(in SampledAccess access, int cache)
    {
        var isHit = _exact[cache].Use(access, now: 0);
        _hits[cache] += isHit ? 1 : 0;
        return isHit;
    }

    private void Draw(in SampledAccess access)
    {
        if (CurveSampler.IsDrawn(access.Hash, Simulation.Threshold))
        {
            Simulation.Use(access);
        }
    }
}
