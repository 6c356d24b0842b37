using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace Strata.Storage.Devices;

/// <summary>
/// One worker's requests to a device: keeps no more in flight than the throttle limit, lets the others wait in order,
/// and calls each request when it has ended. Has a buffer for each request in flight, registered with the kernel, to
/// lend to reads that need theirs only until then. Belongs to the thread that made it.
/// </summary>
public sealed unsafe class DeviceChannel : IDisposable
{
    private const int ReapedAtOnce = 64;

    // While requests wait, places are filled by this part of all at a time: what starts a few requests (a system call,
    // and the disk being told of them) costs as much as what starts one.
    private const int RefillShare = 8;

    private readonly IDeviceQueue _queue;
    private readonly Action<Exception> _onFault;
    private readonly DeviceLatencies? _latencies;
    private readonly DeviceRequest?[] _inFlight;
    private readonly long[] _began;
    private readonly Stack<int> _freeSlots;
    private readonly int _refill;
    private readonly int _lentBytes;
    private byte* _buffers;
    private readonly DeviceCompletion[] _completions = new DeviceCompletion[ReapedAtOnce];
    private DeviceRequest? _oldestWaiting;
    private DeviceRequest? _newestWaiting;
    private bool _isPrepared;
    private long _preparedAt;
    private bool _isCompleting;

    /// <summary>Opens a queue of the device on this thread.</summary>
    /// <param name="device">The device.</param>
    /// <param name="throttleLimit">Most requests in flight, at least 1.</param>
    /// <param name="onFault">Told what a request's <see cref="DeviceRequest.OnCompleted"/> threw; the other requests go
    /// on.</param>
    /// <param name="lentBytes">Bytes of the buffers to lend, a power of two, at least a sector's; 0 for none.</param>
    /// <param name="latencies">Counts how long the requests take; null where nobody asks.</param>
    /// <exception cref="DeviceException">The kernel gives no more queues.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit lets nothing through.</exception>
    public DeviceChannel(
        IDevice device,
        int throttleLimit,
        Action<Exception> onFault,
        int lentBytes = 0,
        DeviceLatencies? latencies = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(throttleLimit);
        _queue = device.OpenQueue();
        _onFault = onFault;
        var limit = Math.Min(throttleLimit, _queue.Depth);
        _latencies = latencies;
        _inFlight = new DeviceRequest?[limit];
        _began = new long[limit];
        _refill = Math.Max(1, limit / RefillShare);
        _freeSlots = new Stack<int>(limit);
        for (var slot = limit - 1; slot >= 0; slot--)
        {
            _freeSlots.Push(slot);
        }

        _lentBytes = lentBytes;
        if (lentBytes != 0)
        {
            var bytes = (long)limit * lentBytes;
            _buffers = (byte*)NativeMemory.AlignedAlloc((nuint)bytes, (nuint)lentBytes);
            RegisterErrno = _queue.Register(_buffers, bytes);
        }
    }

    /// <summary>Why the kernel did not register the buffers: an errno, or 0 when it did.</summary>
    public int RegisterErrno { get; }

    /// <inheritdoc cref="IDeviceQueue.CompletionDescriptor"/>
    public int CompletionDescriptor => _queue.CompletionDescriptor;

    /// <summary>Requests that were given to the device and have not ended.</summary>
    public int InFlight => _inFlight.Length - _freeSlots.Count;

    /// <summary>Requests that wait for others to end.</summary>
    public int Waiting { get; private set; }

    /// <summary>Whether no request is under way.</summary>
    public bool IsIdle => InFlight == 0 && Waiting == 0;

    /// <summary>Reads <paramref name="bytes"/> at <paramref name="offset"/>; it begins with the next <see
    /// cref="Submit"/> that finds room under the throttle limit.</summary>
    public void Read(DeviceRequest request, long offset, byte* buffer, int bytes)
        => Add(request, offset, buffer, bytes, isWrite: false);

    /// <summary>Reads, likewise, into a buffer of the channel's: it is the request's until <see
    /// cref="DeviceRequest.OnCompleted"/> returns.</summary>
    public void ReadLent(DeviceRequest request, long offset, int bytes)
    {
        Invariant.Check(bytes <= _lentBytes, "a read fits into the buffer it is lent");
        Add(request, offset, null, bytes, isWrite: false);
    }

    /// <summary>Writes, likewise.</summary>
    public void Write(DeviceRequest request, long offset, byte* buffer, int bytes)
        => Add(request, offset, buffer, bytes, isWrite: true);

    /// <summary>Starts what was added.</summary>
    public void Submit()
    {
        if (IsIdle)
        {
            return;
        }

        PrepareWaiting();
        if (_isPrepared)
        {
            _isPrepared = false;
            _queue.Submit();
        }
    }

    /// <summary>Ends requests whose completions are there, or, of those in flight, at least <paramref name="least"/>;
    /// starts what waited for their places. Of requests that start others it ends about as many as were in flight, so
    /// that a fast device cannot keep the caller here. Not to be called by a request.</summary>
    /// <returns>How many ended.</returns>
    public int Complete(int least = 0)
    {
        Invariant.Check(!_isCompleting, "no request completes others: their completions would be lost");
        if (IsIdle)
        {
            return 0; // As in most turns of a worker whose data is in memory: the queue need not be asked.
        }

        _isCompleting = true;
        try
        {
            return EndRequests(least);
        }
        finally
        {
            _isCompleting = false;
        }
    }

    /// <inheritdoc cref="IDeviceQueue.TryArm"/>
    public bool TryArm() => _queue.TryArm();

    /// <inheritdoc/>
    /// <remarks>Requests under way are forgotten, not called.</remarks>
    public void Dispose()
    {
        _queue.Dispose();
        NativeMemory.AlignedFree(_buffers);
        _buffers = null;
    }

    private int EndRequests(int least)
    {
        var most = Math.Max(least, InFlight);
        var ended = 0;
        int reaped;
        do
        {
            reaped = _queue.Reap(_completions, Math.Max(0, Math.Min(least - ended, ReapedAtOnce)));
            var now = reaped > 0 && _latencies != null ? _latencies.Now() : 0;
            for (var i = 0; i < reaped; i++)
            {
                End(_completions[i], now);
            }

            ended += reaped;
            Submit();
        }
        while ((reaped == ReapedAtOnce && ended < most) || (reaped > 0 && ended < least));
        return ended;
    }

    private void Add(DeviceRequest request, long offset, byte* buffer, int bytes, bool isWrite)
    {
        request.Offset = offset;
        request.Buffer = buffer;
        request.Bytes = bytes;
        request.IsWrite = isWrite;
        request.IsLent = buffer == null;
        if (Waiting == 0 && TryPrepare(request))
        {
            return;
        }

        request.Next = null;
        if (_newestWaiting == null)
        {
            _oldestWaiting = request;
        }
        else
        {
            _newestWaiting.Next = request;
        }

        _newestWaiting = request;
        Waiting++;
    }

    private void PrepareWaiting()
    {
        if (_freeSlots.Count < _refill)
        {
            return; // Requests in flight will make more places.
        }

        while (_oldestWaiting != null && TryPrepare(_oldestWaiting))
        {
            var request = _oldestWaiting;
            _oldestWaiting = request.Next;
            request.Next = null;
            Waiting--;
            if (_oldestWaiting == null)
            {
                _newestWaiting = null;
            }
        }
    }

    private bool TryPrepare(DeviceRequest request)
    {
        if (!_freeSlots.TryPop(out var slot))
        {
            return false;
        }

        if (request.IsLent)
        {
            request.Buffer = _buffers + ((long)slot * _lentBytes);
        }

        var isPrepared = request.IsWrite
            ? _queue.TryWrite(request.Offset, request.Buffer, request.Bytes, (ulong)slot)
            : _queue.TryRead(request.Offset, request.Buffer, request.Bytes, (ulong)slot);
        if (!isPrepared)
        {
            _freeSlots.Push(slot);
            return false;
        }

        if (!_isPrepared && _latencies != null)
        {
            _preparedAt = _latencies.Now();
        }

        _inFlight[slot] = request;
        _began[slot] = _preparedAt;
        _isPrepared = true;
        return true;
    }

    [SuppressMessage("Design", "CA1031", Justification = "Whatever one request throws, the others must be called.")]
    private void End(in DeviceCompletion completion, long now)
    {
        var slot = (int)completion.Token;
        var request = _inFlight[slot]!;
        var isLent = request.IsLent;
        _latencies?.Add(request.IsWrite, _began[slot], now);
        _inFlight[slot] = null;
        if (!isLent)
        {
            _freeSlots.Push(slot);
        }

        try
        {
            request.OnCompleted(completion.Result);
        }
        catch (Exception exception)
        {
            _onFault(exception);
        }

        if (isLent)
        {
            _freeSlots.Push(slot); // And with it the buffer, which the request has looked at.
        }
    }
}
