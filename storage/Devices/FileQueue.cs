using System.Numerics;
using Strata.Storage.Devices.Files;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices;

/// <summary>
/// What the queues to files share: finding a request's file and keeping it open meanwhile, requests that fail before
/// they begin, and the end of the queue, which another thread may bring about by disposing the device.
/// <para>
/// For that every member says while it runs that it is inside, with a plain store; the closing thread makes this
/// store visible by a barrier across the process, which costs the owner nothing, and waits until the owner is outside.
/// </para>
/// </summary>
internal abstract unsafe class FileQueue : IDeviceQueue
{
    private readonly FileDevice _device;
    private readonly SegmentFiles _files;
    private readonly int _segmentBits;
    private readonly Slot[] _slots;
    private readonly int[] _freeSlots;
    private readonly int[] _failedSlots;
    private int _free;
    private int _failed;
    private bool _isInside;
    private bool _isClosed;
    private bool _isDisposed;

    protected FileQueue(FileDevice device, SegmentFiles files, int depth)
    {
        _device = device;
        _files = files;
        _segmentBits = files.SegmentBytes == long.MaxValue ? 63 : BitOperations.Log2((ulong)files.SegmentBytes);
        _slots = new Slot[depth];
        _freeSlots = new int[depth];
        _failedSlots = new int[depth];
        for (var slot = depth - 1; slot >= 0; slot--)
        {
            _freeSlots[_free++] = slot;
        }
    }

    /// <inheritdoc/>
    public int Depth => _slots.Length;

    /// <inheritdoc/>
    public int InFlight => _slots.Length - _free;

    /// <inheritdoc/>
    public abstract int CompletionDescriptor { get; }

    /// <inheritdoc/>
    public virtual int Register(byte* memory, long bytes) => 0;

    /// <inheritdoc/>
    public bool TryRead(long offset, byte* buffer, int bytes, ulong token)
        => TryPrepare(new Transfer(offset, buffer, bytes, IsWrite: false), token);

    /// <inheritdoc/>
    public bool TryWrite(long offset, byte* buffer, int bytes, ulong token)
        => TryPrepare(new Transfer(offset, buffer, bytes, IsWrite: true), token);

    /// <inheritdoc/>
    public void Submit()
    {
        if (!TryEnter())
        {
            return;
        }

        try
        {
            SubmitPrepared();
        }
        finally
        {
            Leave();
        }
    }

    /// <inheritdoc/>
    public int Reap(Span<DeviceCompletion> completions, int least = 0)
    {
        if (!TryEnter())
        {
            return ReapCanceled(completions);
        }

        try
        {
            var count = TakeFailed(completions);
            var rest = completions[count..];
            if (!rest.IsEmpty)
            {
                var reaped = Collect(rest, Math.Clamp(least - count, 0, rest.Length));
                End(rest[..reaped]);
                count += reaped;
            }

            return count;
        }
        finally
        {
            Leave();
        }
    }

    /// <inheritdoc/>
    public bool TryArm()
    {
        if (!TryEnter())
        {
            return InFlight == 0;
        }

        try
        {
            return _failed == 0 && Arm();
        }
        finally
        {
            Leave();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _device.CloseQueue(this);
            Free();
        }
    }

    /// <summary>Ends what is in flight; for the device, on any thread and one at a time. When it has returned no buffer
    /// is touched any more.</summary>
    public void Close()
    {
        if (_isClosed)
        {
            return;
        }

        Volatile.Write(ref _isClosed, true);
        Interlocked.MemoryBarrierProcessWide();
        var spinner = default(SpinWait);
        while (Volatile.Read(ref _isInside))
        {
            spinner.SpinOnce();
        }

        Stop();
        foreach (ref var slot in _slots.AsSpan())
        {
            slot.File?.Leave();
            slot.File = null;
        }
    }

    /// <summary>Prepares a request to an open file, <paramref name="offset"/> bytes from its start. Its completion's
    /// token is the slot.</summary>
    protected abstract void Prepare(int slot, SegmentFile file, long offset, in Transfer transfer);

    /// <inheritdoc cref="IDeviceQueue.Submit"/>
    protected abstract void SubmitPrepared();

    /// <inheritdoc cref="IDeviceQueue.Reap"/>
    protected abstract int Collect(Span<DeviceCompletion> completions, int least);

    /// <inheritdoc cref="IDeviceQueue.TryArm"/>
    protected abstract bool Arm();

    /// <summary>Waits until no request is in flight, and makes the completion descriptor readable. Any thread.
    /// </summary>
    protected abstract void Stop();

    /// <summary>Frees what is left after <see cref="Stop"/>.</summary>
    protected abstract void Free();

    private bool TryPrepare(in Transfer transfer, ulong token)
    {
        if (_free == 0)
        {
            return false;
        }

        var number = _freeSlots[--_free];
        ref var slot = ref _slots[number];
        slot.Token = token;
        slot.IsUsed = true;
        if (!TryEnter())
        {
            return true; // It will be reaped as canceled.
        }

        try
        {
            var errno = Check(transfer);
            if (errno == 0)
            {
                var start = transfer.Offset & ((1L << _segmentBits) - 1);
                var writtenEnd = transfer.IsWrite ? start + transfer.Bytes : 0;
                errno = _files.TryEnter(transfer.Offset >> _segmentBits, writtenEnd, out slot.File);
            }

            if (errno == 0)
            {
                var offset = transfer.Offset & ((1L << _segmentBits) - 1);
                Prepare(number, slot.File!, offset, transfer);
            }
            else
            {
                slot.Result = -errno;
                _failedSlots[_failed++] = number;
            }

            return true;
        }
        finally
        {
            Leave();
        }
    }

    // Only what would reach past the segment is refused here; what the disk asks for, the kernel checks.
    private int Check(in Transfer transfer)
    {
        const int Misaligned = Limits.MinSectorBytes - 1;
        var isAligned = ((transfer.Offset | (uint)transfer.Bytes) & Misaligned) == 0;
        if (!isAligned || transfer.Offset < 0 || transfer.Bytes <= 0)
        {
            return Errno.InvalidArgument;
        }

        var offset = transfer.Offset & ((1L << _segmentBits) - 1);
        return transfer.Bytes > _files.SegmentBytes - offset ? Errno.InvalidArgument : 0;
    }

    private int TakeFailed(Span<DeviceCompletion> completions)
    {
        var count = Math.Min(_failed, completions.Length);
        for (var i = 0; i < count; i++)
        {
            var number = _failedSlots[--_failed];
            completions[i] = Release(number, _slots[number].Result);
        }

        return count;
    }

    private void End(Span<DeviceCompletion> completions)
    {
        foreach (ref var completion in completions)
        {
            completion = Release((int)completion.Token, completion.Result);
        }
    }

    private DeviceCompletion Release(int number, int result)
    {
        ref var slot = ref _slots[number];
        slot.File?.Leave();
        slot.File = null;
        slot.IsUsed = false;
        _freeSlots[_free++] = number;
        return new DeviceCompletion(slot.Token, result);
    }

    // The closing thread still lets go of the files; everything else of a slot is the owner's.
    private int ReapCanceled(Span<DeviceCompletion> completions)
    {
        _failed = 0;
        var count = 0;
        for (var number = 0; number < _slots.Length && count < completions.Length; number++)
        {
            ref var slot = ref _slots[number];
            if (slot.IsUsed)
            {
                slot.IsUsed = false;
                _freeSlots[_free++] = number;
                completions[count++] = new DeviceCompletion(slot.Token, -Errno.Canceled);
            }
        }

        return count;
    }

    private bool TryEnter()
    {
        Volatile.Write(ref _isInside, true);
        if (Volatile.Read(ref _isClosed))
        {
            Volatile.Write(ref _isInside, false);
            return false;
        }

        return true;
    }

    private void Leave() => Volatile.Write(ref _isInside, false);

    /// <summary>What is read or written; the offset is the device's.</summary>
    protected readonly record struct Transfer(long Offset, nint Address, int Bytes, bool IsWrite)
    {
        public Transfer(long offset, byte* buffer, int bytes, bool IsWrite)
            : this(offset, (nint)buffer, bytes, IsWrite)
        {
        }

        public byte* Buffer => (byte*)Address;
    }

    private struct Slot
    {
        public ulong Token;
        public SegmentFile? File;
        public int Result;
        public bool IsUsed;
    }
}
