using System.Runtime.CompilerServices;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// Keeps the curve: takes from all workers what they have drawn, a bounded part in each tick of the first worker, and
/// has fewer keys be drawn where that is too much. Made once; reading it is for any thread.
/// </summary>
internal sealed class CurveKeeper
{
    // A limit that moves by less is the same.
    private const double LeastChange = 0.005;

    // Seconds between two looks which keys are hot.
    private const int LookPeriod = 5;

    // Milliseconds between two ticks that take something.
    private const int PeriodMs = 90;
    private const int TickMs = 100;

    private const int MsPerSecond = 1000;

    // What of the memory of pages and index is keys and values, where there are too few yet to tell: less than that
    // part of the room.
    private const double UsualPart = 0.85;
    private const double LeastTelling = 1.0 / 8;

    // The least memory that is simulated, bytes.
    private const double LeastMemory = 1 << 20;

    // Seconds between two looks whether more keys may be drawn again.
    private const int RaisePeriod = 60;

    private readonly ShardMap _shards;
    private readonly CurveSampler[] _samplers;
    private readonly long[] _readsTaken;
    private readonly uint[] _thresholds;
    private readonly CurveSimulation _simulation;
    private readonly HotReads _hot = new(TrafficLimits.CurveHotKeys);
    private readonly Func<ReadTotals> _lookups;
    private ReadTotals _lookupsTaken;
    private long _tickedAtMs;
    private long _lookedAt;
    private long _raisedAt;
    private long _usedSinceRaised;
    private int _next;

    /// <summary>Nothing was drawn yet.</summary>
    /// <param name="shards">The data.</param>
    /// <param name="workers">How many draw.</param>
    /// <param name="lookups">Tells how many keys the server has looked for by now, and missed.</param>
    public CurveKeeper(ShardMap shards, int workers, Func<ReadTotals> lookups)
    {
        _shards = shards;
        _lookups = lookups;
        var length = TrafficLimits.CurveQueueLength(workers);
        _samplers = [.. Enumerable.Range(0, workers).Select(_ => new CurveSampler(length))];
        _readsTaken = new long[workers];
        _thresholds = new uint[workers];
        _simulation = new CurveSimulation(TrafficLimits.CurveFirstThreshold, TrafficLimits.CurveKeysPerCache);
    }

    /// <summary>Memory for keys and their values that the curve is relative to, bytes.</summary>
    public double MemoryBytes { get; private set; }

    /// <summary>The part of all keys that are drawn for the smallest cache.</summary>
    public double Rate => _simulation.Threshold / (double)uint.MaxValue;

    /// <summary>Which keys the caches give up: as the server does, or, where it gives up none, as it would by
    /// allkeys-lru.</summary>
    public EvictionPolicy Policy => _simulation.Policy;

    /// <summary>The curve of the last hour.</summary>
    public IEnumerable<CurvePoint> Hour => _simulation.Of(_simulation.Hour);

    /// <summary>The curve of the last day.</summary>
    public IEnumerable<CurvePoint> Day => _simulation.Of(_simulation.Day);

    /// <summary>How many keys are known by name, or were.</summary>
    public int NamedKeys => _simulation.Keys.Count;

    /// <summary>Keys whose reads are counted by themselves; empty places are null.</summary>
    public ReadOnlySpan<HotKeyReads?> HotKeys => _hot.All;

    /// <summary>Memory where so many workers draw, bytes, about: the program's own, which is there from the start and
    /// never more.</summary>
    public static long BytesFor(int workers)
        => CurveSimulation.BytesFor(TrafficLimits.CurveKeysPerCache)
            + HotReads.BytesFor(TrafficLimits.CurveHotKeys)
            + ((long)workers * TrafficLimits.CurveQueueLength(workers) * Unsafe.SizeOf<SampledAccess>());

    /// <summary>What a worker draws with.</summary>
    public CurveSampler this[int worker] => _samplers[worker];

    /// <summary>The curve of a part of the keys, to which none were added yet.</summary>
    /// <param name="database">The one database, by its physical number; -1 for all.</param>
    /// <param name="prefix">What the keys begin with.</param>
    public PartCurve PartOf(int database, byte[] prefix) => new(_simulation, database, prefix);

    /// <summary>Takes some of what was drawn. On the first worker.</summary>
    /// <param name="nowMs">The time.</param>
    /// <param name="hotKeys">Tells the keys that are read most.</param>
    /// <param name="isThere">Whether the server has a key.</param>
    public void Tick(long nowMs, Func<HotKeyList> hotKeys, Func<HotKey, bool> isThere)
    {
        if (Math.Abs(nowMs - _tickedAtMs) < PeriodMs)
        {
            return;
        }

        _tickedAtMs = nowMs;
        var nowSeconds = nowMs / MsPerSecond;
        SetMemory();
        SetPolicy();
        if (Math.Abs(nowSeconds - _lookedAt) >= LookPeriod)
        {
            _lookedAt = nowSeconds;
            _hot.Follow(hotKeys(), isThere);
            _simulation.HotKeys = _hot.Current;
        }

        CountReads(nowSeconds);
        Fit(nowSeconds);
        Take();
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
        var bytes = limit == 0 ? live : room * (held > room * LeastTelling ? live / held : UsualPart);
        bytes = Math.Max(bytes, LeastMemory);
        if (Math.Abs(bytes - MemoryBytes) > LeastChange * MemoryBytes)
        {
            MemoryBytes = bytes;
            _simulation.SetMemory(bytes);
        }
    }

    private void SetPolicy()
    {
        var policy = _shards[0].Policy;
        _simulation.Policy = policy == EvictionPolicy.NoEviction ? EvictionPolicy.AllKeysLru : policy;
    }

    private void CountReads(long nowSeconds)
    {
        var lookups = _lookups();
        var reads = new ReadTotals
        {
            Lookups = lookups.Lookups - _lookupsTaken.Lookups,
            Missed = lookups.Missed - _lookupsTaken.Missed,
        };
        _lookupsTaken = lookups;
        for (var i = 0; i < _samplers.Length; i++)
        {
            reads.Reads += _samplers[i].Reads - _readsTaken[i];
            _readsTaken[i] = _samplers[i].Reads;
        }

        reads.Hot = reads.Reads * _hot.Share;
        reads.HotMissed = reads.Reads * _hot.MissedShare;
        _simulation.CountReads(reads, nowSeconds);
        _hot.Count(reads.Reads, _simulation.Keys);
    }

    /// <summary>Has fewer keys be drawn where more are than can be simulated, and more again where there are fewer for
    /// a while.</summary>
    private void Fit(long nowSeconds)
    {
        var isBusy = false;
        var lowest = uint.MaxValue;
        for (var i = 0; i < _samplers.Length; i++)
        {
            _thresholds[i] = _samplers[i].Threshold;
            lowest = Math.Min(lowest, _thresholds[i]);
            isBusy |= _samplers[i].Queue.IsBusy;
        }

        // A worker that has begun to draw fewer has made room by itself.
        var fitting = isBusy && lowest >= _simulation.Threshold ? _simulation.Threshold / 2 : lowest;
        if (fitting < _simulation.Threshold)
        {
            _simulation.Lower(fitting);
        }

        if (Math.Abs(nowSeconds - _raisedAt) >= RaisePeriod)
        {
            // Not so many that it would soon be too much.
            var most = (long)TrafficLimits.CurveAccessesPerTick * RaisePeriod * MsPerSecond / TickMs / 2;
            var limit = TrafficLimits.CurveHighestThreshold;
            while (limit / (double)_simulation.Threshold * _usedSinceRaised > most)
            {
                limit /= 2;
            }

            _simulation.Raise(limit, nowSeconds);
            (_raisedAt, _usedSinceRaised) = (nowSeconds, 0);
        }
    }

    private void Take()
    {
        var left = TrafficLimits.CurveAccessesPerTick;
        for (var i = 0; i < _samplers.Length && left > 0; i++, _next = (_next + 1) % _samplers.Length)
        {
            while (left > 0 && _samplers[_next].Queue.TryTake(out var access))
            {
                // What was drawn while more was costs next to nothing.
                if (CurveSampler.IsDrawn(access.Hash, _simulation.Threshold))
                {
                    _simulation.Use(access);
                    left--;
                }
            }
        }

        _usedSinceRaised += TrafficLimits.CurveAccessesPerTick - left;
        for (var i = 0; i < _samplers.Length; i++)
        {
            _samplers[i].Follow(_thresholds[i], _simulation.Threshold);
            _samplers[i].HotKeys = _hot.Current;
        }
    }
}
