using System.Diagnostics;
using System.Runtime.InteropServices;
using Strata.Bench.Keys;
using Strata.Bench.Statistics;
using Strata.Storage.Devices;

namespace Strata.Bench.Device;

/// <summary>
/// Keeps requests for random blocks under way through a channel of its own and waits for nothing but them. Nothing is
/// allocated once it runs. Its counts are read by others only after it has ended, except <see cref="Operations"/>.
/// </summary>
internal sealed unsafe class DeviceThread : IDisposable
{
    private const int BufferAlignment = 4096;

    private readonly DeviceOptions _options;
    private readonly IDevice _device;
    private readonly long _blocks;
    private readonly byte* _buffers;
    private readonly Thread _thread;
    private SplitMix64 _random;
    private Exception? _fault;
    private volatile DevicePhase _phase;
    private long _operations;

    public DeviceThread(DeviceOptions options, IDevice device, int number)
    {
        _options = options;
        _device = device;
        _blocks = options.Blocks;
        _random = new SplitMix64(SplitMix64.Mix(options.Seed + ((ulong)number << 32)));
        _buffers = (byte*)NativeMemory.AlignedAlloc((nuint)options.Depth * (nuint)options.BlockBytes, BufferAlignment);
        _thread = new Thread(Run) { IsBackground = true, Name = $"device-{number}" };
    }

    public LatencyHistogram Latencies { get; } = new();

    public RequestErrors Errors { get; } = new();

    public long Writes { get; private set; }

    /// <summary>Requests that succeeded while measuring, so far; any thread may ask.</summary>
    public long Operations => Volatile.Read(ref _operations);

    /// <summary>Why the thread gave up; null when it ended as it should.</summary>
    public BenchException? Failure { get; private set; }

    /// <summary>Whether the thread has ended.</summary>
    public bool HasEnded => !_thread.IsAlive;

    /// <summary>Moves on; from any thread.</summary>
    public void Enter(DevicePhase phase) => _phase = phase;

    public void Start() => _thread.Start();

    /// <summary>Waits for the end.</summary>
    /// <returns>False when it did not come in time.</returns>
    public bool Join(TimeSpan timeout) => _thread.Join(timeout);

    /// <summary>Frees the buffers; after the device was disposed, or all requests have ended.</summary>
    public void Dispose() => NativeMemory.AlignedFree(_buffers);

    /// <summary>Counts a request and starts it again, with another block.</summary>
    public void OnEnded(BlockRequest request, int result)
    {
        var now = Stopwatch.GetTimestamp();
        var phase = _phase;
        if (phase == DevicePhase.Measuring)
        {
            if (result == _options.BlockBytes)
            {
                Latencies.Record(now - request.StartedAt); // Ticks are nanoseconds here.
                Volatile.Write(ref _operations, _operations + 1);
                Writes += request.Writes ? 1 : 0;
            }
            else
            {
                Errors.Record(result);
            }
        }

        if (phase != DevicePhase.Stopping && _fault == null)
        {
            Begin(request, now);
        }
    }

    private void Run()
    {
        try
        {
            using var channel = new DeviceChannel(_device, _options.ThrottleLimit, fault => _fault ??= fault);
            for (var i = 0; i < _options.Depth; i++)
            {
                var block = _buffers + ((long)i * _options.BlockBytes);
                new Span<byte>(block, _options.BlockBytes).Fill((byte)(i + 1));
                Begin(new BlockRequest(this, channel, block), Stopwatch.GetTimestamp());
            }

            channel.Submit();
            while (!channel.IsIdle)
            {
                channel.Complete(least: 1);
            }
        }
        catch (DeviceException exception)
        {
            Failure = new BenchException(exception.Message, exception);
        }

        if (_fault is { } fault)
        {
            Failure = new BenchException($"A request could not be counted or started: {fault.Message}", fault);
        }
    }

    private void Begin(BlockRequest request, long now)
    {
        var offset = _random.NextBelow(_blocks) * _options.BlockBytes;
        request.StartedAt = now;
        request.Writes = _options.WritePercent > 0 && _random.NextBelow(100) < _options.WritePercent;
        if (request.Writes)
        {
            request.Channel.Write(request, offset, request.Block, _options.BlockBytes);
        }
        else
        {
            request.Channel.Read(request, offset, request.Block, _options.BlockBytes);
        }
    }
}
