using System.Runtime.CompilerServices;
using Strata.Storage.Sharding;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// Keeps the curve: takes from all workers what they have drawn, a bounded part in each tick of the first worker, and
/// has fewer keys be drawn where that is too much. Made once; reading it is for any thread.
/// </summary>
internal sealed class CurveKeeper
{
    // A limit that moves by less is the same.
    private const double LeastChange = 0.02;

    // Seconds between two looks at how much memory there is, and which keys are hot.
    private const int LookPeriod = 5;

    // Milliseconds between two ticks that take something.
    private const int PeriodMs = 90;

    private const int MsPerSecond = 1000;

    // What of the memory of pages and index is keys and values, where there are too few yet to tell.
    private const double UsualPart = 0.8;

    // The least memory that is simulated, bytes.
    private const double LeastMemory = 1 << 20;

    private readonly ShardMap _shards;
    private readonly CurveSampler[] _samplers;
    private readonly long[] _readsTaken;
    private readonly CurveSimulation _simulation;
    private long _tickedAtMs;
    private long _loweredAt;
    private long _lookedAt;
    private double _hotShare;
    private int _next;

    /// <summary>Nothing was drawn yet.</summary>
    /// <param name="shards">The data.</param>
    /// <param name="workers">How many draw.</param>
    public CurveKeeper(ShardMap shards, int workers)
    {
        _shards = shards;
        var length = TrafficLimits.CurveQueueLength(workers);
        _samplers = [.. Enumerable.Range(0, workers).Select(_ => new CurveSampler(length))];
        _readsTaken = new long[workers];
        _simulation = new CurveSimulation(TrafficLimits.CurveFirstThreshold, TrafficLimits.CurveKeysPerCache);
    }

    /// <summary>Memory for keys and their values that the curve is relative to, bytes.</summary>
    public double MemoryBytes { get; private set; }

    /// <summary>The part of all keys that are drawn for the smallest cache.</summary>
    public double Rate => _simulation.Threshold / (double)uint.MaxValue;

    /// <summary>The curve of the last hour.</summary>
    public IEnumerable<CurvePoint> Hour => _simulation.Of(_simulation.Hour);

    /// <summary>The curve of the last day.</summary>
    public IEnumerable<CurvePoint> Day => _simulation.Of(_simulation.Day);

    /// <summary>Memory where so many workers draw, bytes, about: the program's own, which is there from the start and
    /// never more.</summary>
    public static long BytesFor(int workers)
        => CurveSimulation.BytesFor(TrafficLimits.CurveKeysPerCache)
            + ((long)workers * TrafficLimits.CurveQueueLength(workers) * Unsafe.SizeOf<SampledAccess>());

    /// <summary>What a worker draws with.</summary>
    public CurveSampler this[int worker] => _samplers[worker];

    /// <summary>Takes some of what was drawn. On the first worker.</summary>
    /// <param name="nowMs">The time.</param>
    /// <param name="hotKeys">Tells the keys that are read most.</param>
    public void Tick(long nowMs, Func<HotKeyList> hotKeys)
    {
        if (Math.Abs(nowMs - _tickedAtMs) < PeriodMs)
        {
            return;
        }

        _tickedAtMs = nowMs;
        var nowSeconds = nowMs / MsPerSecond;
        if (Math.Abs(nowSeconds - _lookedAt) >= LookPeriod)
        {
            _lookedAt = nowSeconds;
            SetMemory();
            SetHotKeys(hotKeys());
        }

        Take(nowSeconds);
    }

    /// <summary>Takes over how much memory there is for keys and their values: the limit but for what others take, or,
    /// where there is none, what they have now.</summary>
    private void SetMemory()
    {
        var (live, held) = (0.0, 0.0);
        foreach (var shard in _shards.All)
        {
            live += shard.Log.LiveBytes + shard.Collections.Heap.UsedBytes;
            held += shard.Log.PageMemoryBytes + shard.Collections.Heap.SizeBytes + shard.Index.SizeBytes;
        }

        var budget = _shards.Budget;
        var limit = (double)budget.LimitBytes;
        var room = limit - Math.Max(0, budget.UsedBytes - held);
        var bytes = limit == 0 ? live : room * (held > room / 2 ? live / held : UsualPart);
        bytes = Math.Max(bytes, LeastMemory);
        if (Math.Abs(bytes - MemoryBytes) > LeastChange * MemoryBytes)
        {
            MemoryBytes = bytes;
            _simulation.SetMemory(bytes);
        }
    }

    /// <summary>Takes over which keys are so hot that chance is not to decide whether they count.</summary>
    private void SetHotKeys(HotKeyList list)
    {
        _hotShare = 0;
        var hot = new HashSet<ulong>();
        foreach (var key in list.Keys)
        {
            var share = key.PerSecond / list.TotalPerSecond;
            if (share < TrafficLimits.CurveHotShare)
            {
                break;
            }

            hot.Add(key.Hash);
            _hotShare += share;
        }

        _simulation.HotKeys = hot;
    }

    private void Take(long nowSeconds)
    {
        var reads = 0L;
        var isBusy = false;
        for (var i = 0; i < _samplers.Length; i++)
        {
            var sampler = _samplers[i];
            reads += sampler.Reads - _readsTaken[i];
            _readsTaken[i] = sampler.Reads;
            isBusy |= sampler.Queue.IsBusy;
        }

        if (isBusy && nowSeconds != _loweredAt)
        {
            _loweredAt = nowSeconds;
            _simulation.Lower(_simulation.Threshold / 2);
        }

        _simulation.CountReads(reads, (long)(reads * _hotShare), nowSeconds);
        var left = TrafficLimits.CurveAccessesPerTick;
        for (var i = 0; i < _samplers.Length && left > 0; i++, _next = (_next + 1) % _samplers.Length)
        {
            while (left > 0 && _samplers[_next].Queue.TryTake(out var access))
            {
                // What was drawn while more was costs next to nothing.
                if (CurveSampler.IsDrawn(access.Hash, _simulation.Threshold))
                {
                    _simulation.Use(access, nowSeconds);
                    left--;
                }
            }
        }

        foreach (var sampler in _samplers)
        {
            sampler.Threshold = _simulation.Threshold;
        }
    }
}
