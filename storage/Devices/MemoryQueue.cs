using System.Diagnostics;
using System.Numerics;
using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices;

/// <summary>
/// A queue to segments in memory. Bytes are moved by <see cref="Submit"/>; what may come later, by the device's
/// latency, is the completion. All requests of a device take equally long, so they end in the order of their submits.
/// A timer, set only when somebody waits, makes the completion descriptor readable when the oldest is due.
/// <para>
/// Belongs to one thread. Another may dispose the device: that waits for a Submit under way, which is in memory only,
/// and lets later ones end with ECANCELED without touching their buffers.
/// </para>
/// </summary>
internal sealed unsafe class MemoryQueue : IDeviceQueue
{
    private const int Idle = 0;
    private const int Transferring = 1;
    private const int Closed = 2;
    private const uint Mask = Limits.MemoryQueueDepth - 1;
    private const long NsPerSecond = 1_000_000_000;

    private readonly MemorySegments _segments;
    private readonly long _latencyTicks;
    private readonly Request[] _requests = new Request[Limits.MemoryQueueDepth];
    private readonly int _timer;
    private MemorySegment? _entered;
    private long _enteredNumber;

    // Positions in _requests, which count on and wrap by masking: finished up to _oldest, submitted up to _submitted.
    private uint _oldest;
    private uint _submitted;
    private uint _newest;
    private int _state;
    private bool _isDisposed;

    /// <summary>Opens a queue.</summary>
    /// <exception cref="DeviceException">No file descriptors are to be had.</exception>
    public MemoryQueue(MemorySegments segments, int latencyUs)
    {
        _segments = segments;
        _latencyTicks = latencyUs * (Stopwatch.Frequency / 1_000_000);
        _timer = Libc.TimerFdCreate(Libc.ClockMonotonic, Libc.TimerFdCloexec | Libc.TimerFdNonBlock);
        if (_timer < 0)
        {
            throw new DeviceException(
                $"cannot open a device queue's timer (errno {Marshal.GetLastPInvokeError()}): raise 'ulimit -n'");
        }
    }

    /// <inheritdoc/>
    public int Depth => Limits.MemoryQueueDepth;

    /// <inheritdoc/>
    public int InFlight => (int)(_newest - _oldest);

    /// <inheritdoc/>
    public int CompletionDescriptor => _timer;

    private bool IsClosed => Volatile.Read(ref _state) == Closed;

    /// <inheritdoc/>
    public int Register(byte* memory, long bytes) => 0;

    /// <inheritdoc/>
    public bool TryRead(long offset, byte* buffer, int bytes, ulong token)
        => TryPrepare(offset, buffer, bytes, token, isWrite: false);

    /// <inheritdoc/>
    public bool TryWrite(long offset, byte* buffer, int bytes, ulong token)
        => TryPrepare(offset, buffer, bytes, token, isWrite: true);

    /// <inheritdoc/>
    public void Submit()
    {
        if (_submitted == _newest)
        {
            return;
        }

        // Without latency nobody asks for the time: due at 0 is due always.
        var due = _latencyTicks == 0 ? 0 : Stopwatch.GetTimestamp() + _latencyTicks;
        var isOpen = Interlocked.CompareExchange(ref _state, Transferring, Idle) == Idle;
        try
        {
            while (_submitted != _newest)
            {
                ref var request = ref _requests[_submitted & Mask];
                request.Due = due;
                request.Result = isOpen ? Transfer(in request) : -Errno.Canceled;
                _submitted++;
            }
        }
        finally
        {
            LeaveSegment();
            if (isOpen)
            {
                Volatile.Write(ref _state, Idle);
            }
        }
    }

    /// <inheritdoc/>
    public int Reap(Span<DeviceCompletion> completions, int least = 0)
    {
        var submitted = (int)(_submitted - _oldest);
        var wanted = Math.Min(Math.Min(least, submitted), completions.Length);
        if (wanted > 0)
        {
            WaitUntil(_requests[(_oldest + (uint)wanted - 1) & Mask].Due);
        }

        var now = Now();
        var count = 0;
        while (count < completions.Length && _oldest != _submitted)
        {
            ref var request = ref _requests[_oldest & Mask];
            if (request.Due > now)
            {
                break;
            }

            completions[count++] = new DeviceCompletion(request.Token, request.Result);
            _oldest++;
        }

        return count;
    }

    /// <inheritdoc/>
    public bool TryArm() => _oldest == _submitted || TrySetTimer(_requests[_oldest & Mask].Due);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _segments.Forget(this); // From here on the device's end sets this timer no more.
            _ = Libc.Close(_timer); // Fails for an unknown descriptor only.
        }
    }

    /// <summary>Ends what is in flight; for the device, on any thread. When it has returned no buffer is touched any
    /// more.</summary>
    public void Close()
    {
        var spinner = default(SpinWait);
        while (Interlocked.CompareExchange(ref _state, Closed, Idle) == Transferring)
        {
            spinner.SpinOnce();
        }

        SetTimer(1); // Long past: wakes whoever waits for a completion.
    }

    private bool TryPrepare(long offset, byte* buffer, int bytes, ulong token, bool isWrite)
    {
        if (InFlight == Limits.MemoryQueueDepth)
        {
            return false;
        }

        _requests[_newest++ & Mask] = new Request
        {
            Offset = offset,
            Buffer = buffer,
            Bytes = bytes,
            Token = token,
            IsWrite = isWrite,
        };
        return true;
    }

    private int Transfer(in Request request)
    {
        const int Misaligned = Limits.MinSectorBytes - 1;
        var aligned = request.Offset | (uint)request.Bytes | (long)request.Buffer;
        if (request.Offset < 0 || request.Bytes <= 0 || (aligned & Misaligned) != 0)
        {
            return -Errno.InvalidArgument;
        }

        var isBounded = _segments.SegmentBytes != long.MaxValue;
        var number = isBounded ? request.Offset >> BitOperations.Log2((ulong)_segments.SegmentBytes) : 0;
        var offset = isBounded ? request.Offset & (_segments.SegmentBytes - 1) : request.Offset;
        if (request.Bytes > _segments.SegmentBytes - offset)
        {
            return -Errno.InvalidArgument;
        }

        if (!TryEnterSegment(number, request.IsWrite, out var errno))
        {
            return -errno;
        }

        return request.IsWrite
            ? _entered!.Write(offset, request.Buffer, request.Bytes)
            : _entered!.Read(offset, request.Buffer, request.Bytes);
    }

    // A batch mostly stays in one segment, and entering is an atomic operation on a shared word.
    private bool TryEnterSegment(long number, bool isWrite, out int errno)
    {
        errno = 0;
        if (_entered != null && _enteredNumber == number)
        {
            return true;
        }

        LeaveSegment();
        _entered = _segments.TryEnter(number, isWrite, out errno);
        _enteredNumber = number;
        return _entered != null;
    }

    private void LeaveSegment()
    {
        _entered?.Leave();
        _entered = null;
    }

    /// <summary>What is due by now has ended; in a closed queue everything has.</summary>
    private long Now() => IsClosed ? long.MaxValue : _latencyTicks == 0 ? 0 : Stopwatch.GetTimestamp();

    private void WaitUntil(long due)
    {
        while (TrySetTimer(due))
        {
            var descriptor = new PollDescriptor { Fd = _timer, Events = Libc.PollIn };
            _ = Libc.Poll(&descriptor, 1, -1); // Interrupted or not: only the clock says whether the time has come.
        }
    }

    /// <returns>False when it is due already.</returns>
    private bool TrySetTimer(long due)
    {
        if (due <= Now())
        {
            return false;
        }

        SetTimer(due);
        return !IsClosed; // Closing sets the timer too; it must not be lost to the later time set here.
    }

    private void SetTimer(long due)
    {
        var times = stackalloc long[4];
        times[0] = 0;
        times[1] = 0;
        times[2] = due / NsPerSecond;
        times[3] = due % NsPerSecond;
        Invariant.Check(Libc.TimerFdSetTime(_timer, Libc.TimerFdAbsoluteTime, times, null) == 0, "a timer can be set");
    }

    private struct Request
    {
        public long Offset;
        public byte* Buffer;
        public ulong Token;
        public long Due;
        public int Bytes;
        public int Result;
        public bool IsWrite;
    }
}
