using System.Diagnostics;
using System.Runtime.InteropServices;
using Strata.Bench.Keys;
using Strata.Bench.Statistics;
using Strata.Server;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Bench.Kv;

/// <summary>
/// A worker without a network: keeps operations under way on the shards, those that wait for the device among them,
/// and starts all reads of a turn together. Nothing is allocated once it runs. Its counts are read by others only after
/// it has ended, except <see cref="Ended"/>.
/// </summary>
internal sealed unsafe class KvThread : IDisposable
{
    // How often the shards of this worker are looked after, as the server does it ten times a second.
    private const int CycleMs = 100;

    // Operations whose records are in memory leave their places at once: the next batch fills them, so that the submit
    // of the turn takes as many reads as there is room for.
    private const int MaxBatches = 4;

    private readonly KvOptions _options;
    private readonly KvTarget _target;
    private readonly KvPhases _phases;
    private readonly int _number;
    private readonly Thread _thread;
    private readonly KvExecutor _executor;
    private readonly ShardCycles _cycles;
    private readonly KvOperation[] _idle;
    private readonly KvOperation[] _batch = new KvOperation[ServerLimits.MaxRunCommands];
    private readonly byte* _keys;
    private readonly int _keyStride;
    private KvOperation[] _ready;
    private KvOperation[] _taken;
    private Exception? _fault;
    private SplitMix64 _random;
    private IKeySource _source = null!;
    private KvMix _mix;
    private KvPhase _phase;
    private int _idleCount;
    private int _readyCount;
    private long _left;
    private long _endedInTurn;
    private long _cycledAtMs;
    private long _allocatedBefore;
    private long _ended;
    private bool _mayBegin;

    public KvThread(KvOptions options, KvTarget target, KvPhases phases, int number)
    {
        _options = options;
        _target = target;
        _phases = phases;
        _number = number;
        _random = new SplitMix64(~SplitMix64.Mix(options.Seed + ((ulong)number << 32)));
        _executor = new KvExecutor(options, target, number);
        _cycles = new ShardCycles(target.Shards, number, options.Workers);
        _keyStride = (options.KeyBytes + 63) & ~63;
        _keys = (byte*)NativeMemory.AlignedAlloc((nuint)options.Depth * (nuint)_keyStride, 64);
        new Span<byte>(_keys, options.Depth * _keyStride).Fill((byte)'k');
        _idle = new KvOperation[options.Depth];
        _ready = new KvOperation[options.Depth];
        _taken = new KvOperation[options.Depth];
        Tally = options.DistributionFile == null ? null : new KeyTally(options.Keys);
        _thread = new Thread(Run) { IsBackground = true, Name = $"kv-{number}" };
    }

    // The tier disposes of it.
    private TierWorker? Tier { get; set; }

    public LatencyHistogram Latencies { get; private set; } = new();

    /// <summary>What was counted while measuring.</summary>
    public KvCounts Counts { get; } = new();

    /// <summary>What was counted besides: failed loads, and mismatches at any time.</summary>
    public KvCounts Uncounted { get; } = new();

    /// <summary>Which keys were drawn; null when nobody asks.</summary>
    public KeyTally? Tally { get; }

    /// <summary>Managed bytes that the thread allocated while measuring.</summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>Operations that ended in the current phase so far; any thread may ask.</summary>
    public long Ended => Volatile.Read(ref _ended);

    /// <summary>Why the thread gave up; null when it ended as it should.</summary>
    public BenchException? Failure { get; private set; }

    /// <summary>Whether the thread has ended.</summary>
    public bool HasEnded => !_thread.IsAlive;

    public void Start() => _thread.Start();

    /// <summary>Waits for the end.</summary>
    /// <returns>False when it did not come in time.</returns>
    public bool Join(TimeSpan timeout) => _thread.Join(timeout);

    /// <summary>Frees what the thread used; after it has ended.</summary>
    public void Dispose()
    {
        _executor.Dispose();
        NativeMemory.AlignedFree(_keys);
    }

    /// <summary>An operation has all it waited for.</summary>
    public void Resume(KvOperation operation) => _ready[_readyCount++] = operation;

    private void Run()
    {
        try
        {
            Open();
            Load();
            _phases.EndLoad();
            if (_number < _options.Threads)
            {
                Measure();
            }
        }
        catch (Exception exception) when (exception is DeviceException or BenchException)
        {
            Failure = exception as BenchException ?? new BenchException(exception.Message, exception);
        }

        if (_fault is { } fault)
        {
            Failure = new BenchException($"A thread of kv failed: {fault.Message}", fault);
        }
    }

    private void Open()
    {
        if (_options.Pins)
        {
            var allowed = CpuAffinity.Allowed();
            CpuAffinity.Pin(allowed[_number % allowed.Count]);
        }

        if (_target.Tier is { } tier)
        {
            Tier = new TierWorker(tier, _number, _target.Budget, worker: null, fault => _fault ??= fault);
        }

        for (var i = 0; i < _options.Depth; i++)
        {
            _idle[_idleCount++] = new KvOperation(
                this, _keys + ((long)i * _keyStride), _options.KeyBytes, Tier?.RentSet());
        }
    }

    private void Load()
    {
        if (_number >= _options.Loaders)
        {
            return;
        }

        var first = _options.Keys * _number / _options.Loaders;
        var end = _options.Keys * (_number + 1) / _options.Loaders;
        _source = new SequentialKeys(first, end);
        _mix = KvMix.Upserts;
        _left = long.MaxValue;
        RunPhases(KvPhase.Loading);
    }

    private void Measure()
    {
        _phases.WaitForMeasurement();
        Volatile.Write(ref _ended, 0);
        Latencies = new LatencyHistogram();
        _source = _options.KeysOf(_number);
        _mix = _options.Mix;
        _left = _options.Operations == 0
            ? long.MaxValue
            : (_options.Operations * (_number + 1) / _options.Threads)
                - (_options.Operations * _number / _options.Threads);
        RunPhases(_phases.Current);
    }

    /// <summary>Runs turns until there is nothing more to begin and all that was begun has ended.</summary>
    private void RunPhases(KvPhase first)
    {
        Enter(first);
        _mayBegin = true;
        while (_fault == null && (_mayBegin || _idleCount < _idle.Length))
        {
            RunTurn();
        }

        while (_fault == null && Tier is { InFlight: > 0 })
        {
            Tier.Complete(_executor.NowMs, least: 1);
            Tier.Submit();
        }

        Enter(KvPhase.Stopping);
        _target.Quiescence.EndReads(_number);
        if (_fault == null)
        {
            Invariant.Check(_readyCount == 0, "all operations have ended");
        }
    }

    private void RunTurn()
    {
        Complete();
        _target.Quiescence.EndReads(_number); // Of the last turn.
        _target.Quiescence.BeginReads(_number);
        _executor.NowMs = (DateTime.UtcNow.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMillisecond;
        if (_phases.Current != _phase)
        {
            Enter(_phases.Current);
        }

        _endedInTurn = 0;
        ExecuteReady();
        for (var i = 0; i < MaxBatches && _mayBegin && _idleCount > 0; i++)
        {
            BeginBatch();
        }

        RunCycles();
        Tier?.Submit();
    }

    /// <summary>Ends what the device has done; waits for it when there is nothing else to do.</summary>
    private void Complete()
    {
        var isStuck = _endedInTurn == 0 && (_idleCount == 0 || !_mayBegin);
        if (Tier is { InFlight: > 0 })
        {
            Tier.Complete(_executor.NowMs, least: isStuck ? 1 : 0);
        }
        else if (isStuck)
        {
            Thread.Yield(); // Another thread holds the lease, or writes the pages whose memory is waited for.
        }
    }

    private void ExecuteReady()
    {
        (_ready, _taken) = (_taken, _ready);
        var count = _readyCount;
        _readyCount = 0;
        for (var i = 0; i < count; i++)
        {
            Execute(_taken[i]);
        }
    }

    /// <summary>Begins operations together, so that one's cache misses run beside the other's.</summary>
    private void BeginBatch()
    {
        var now = Stopwatch.GetTimestamp();
        var count = 0;
        while (_mayBegin && _idleCount > 0 && count < _batch.Length)
        {
            if (_left == 0 || _phase == KvPhase.Stopping || !_source.TryNext(out var key))
            {
                _mayBegin = false;
                break;
            }

            _left--;
            if (_phase != KvPhase.Loading)
            {
                Tally?.Count(key);
            }

            var operation = _idle[--_idleCount];
            operation.Begin(_mix.Next(ref _random), key, now);
            _target.Shards.Of(operation.Key.Hash).Index.Prefetch(operation.Key.Hash);
            _batch[count++] = operation;
        }

        for (var i = 0; i < count; i++)
        {
            var hash = _batch[i].Key.Hash;
            _target.Shards.Of(hash).PrefetchRecord(hash);
        }

        for (var i = 0; i < count; i++)
        {
            Execute(_batch[i]);
        }
    }

    private void Execute(KvOperation operation)
    {
        switch (_executor.Execute(operation))
        {
            case KvAttempt.Done:
                End(operation);
                break;
            case KvAttempt.Reading:
                break;
            default:
                Resume(operation);
                break;
        }
    }

    private void End(KvOperation operation)
    {
        operation.Set?.Clear();
        _idle[_idleCount++] = operation;
        _endedInTurn++;
        Volatile.Write(ref _ended, _ended + 1);
        if (_phase == KvPhase.Measuring)
        {
            Latencies.Record(Stopwatch.GetTimestamp() - operation.StartedAt); // Ticks are nanoseconds here.
        }
    }

    private void Enter(KvPhase phase)
    {
        if (phase == KvPhase.Measuring)
        {
            _allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
        }
        else if (_phase == KvPhase.Measuring)
        {
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
        }

        _phase = phase;
        _executor.Counts = phase == KvPhase.Measuring ? Counts : Uncounted;
    }

    /// <summary>Looks after the shards whose home this worker is.</summary>
    private void RunCycles()
    {
        var nowMs = _executor.NowMs;
        var elapsedMs = nowMs - _cycledAtMs;
        if (elapsedMs < 0 || elapsedMs >= _cycles.PeriodMs(CycleMs))
        {
            _cycledAtMs = nowMs;
            _ = _cycles.Run(nowMs, elapsedMs);
        }
    }
}
