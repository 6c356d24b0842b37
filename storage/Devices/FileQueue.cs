using System.Numerics;
using Strata.Storage.Devices.Files;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices;

/// <summary>
/// What the queues to files share: finding a request's file and keeping it open meanwhile, writes that wait until their
/// file is made, requests that fail before they begin, and the end of the queue, which another thread may bring about
/// by disposing the device.
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
    private readonly AwaitedSegments _awaited;

    // Writes whose segment is being made ready, in no order.
    private readonly List<int> _waitingSlots = [];
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
        _awaited = new AwaitedSegments(files, Wake);
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
        => TryPrepare(new Transfer(offset, buffer, bytes, isWrite: false), token);

    /// <inheritdoc/>
    public bool TryWrite(long offset, byte* buffer, int bytes, ulong token)
        => TryPrepare(new Transfer(offset, buffer, bytes, isWrite: true), token);

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
            var count = ReapOnce(completions, least);
            while (count < Math.Min(least, completions.Length) && _awaited.AreAny)
            {
                _awaited.Await();
                count += ReapOnce(completions[count..], least - count);
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
            return _failed == 0 && !_awaited.HasEnded && Arm(); // What is ready later wakes the owner itself.
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

        _awaited.Close();
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
            if (errno == 0 && transfer.IsWrite)
            {
                if (!TryPrepareWrite(number, transfer))
                {
                    slot.Waiting = transfer;
                    _waitingSlots.Add(number);
                    _awaited.Add(SegmentOf(transfer), EndOf(transfer));
                }

                return true;
            }

            errno = errno != 0 ? errno : _files.TryEnterToRead(SegmentOf(transfer), out slot.File);
            if (errno == 0)
            {
                Prepare(number, slot.File!, StartOf(transfer), transfer);
            }
            else
            {
                Fail(number, errno);
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

    private bool TryPrepareWrite(int number, in Transfer transfer)
    {
        if (!_files.TryEnterToWrite(SegmentOf(transfer), EndOf(transfer), out var file))
        {
            return false;
        }

        _slots[number].File = file;
        Prepare(number, file, StartOf(transfer), transfer);
        return true;
    }

    private long SegmentOf(in Transfer transfer) => transfer.Offset >> _segmentBits;

    private long StartOf(in Transfer transfer) => transfer.Offset & ((1L << _segmentBits) - 1);

    private long EndOf(in Transfer transfer) => StartOf(transfer) + transfer.Bytes;

    private void Fail(int number, int errno)
    {
        _slots[number].Result = -errno;
        _failedSlots[_failed++] = number;
    }

    private int ReapOnce(Span<DeviceCompletion> completions, int least)
    {
        StartWaiting();
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

    /// <summary>Starts the writes whose segments are ready, and fails those whose segments cannot be had.</summary>
    private void StartWaiting()
    {
        var isAny = false;
        while (_awaited.AreAny && _awaited.TryTake(out var segment, out var errno))
        {
            for (var i = _waitingSlots.Count - 1; i >= 0; i--)
            {
                var number = _waitingSlots[i];
                ref readonly var transfer = ref _slots[number].Waiting;
                if (SegmentOf(transfer) != segment)
                {
                    continue;
                }

                if (errno != 0)
                {
                    Fail(number, errno);
                }
                else if (TryPrepareWrite(number, transfer))
                {
                    isAny = true;
                }
                else
                {
                    _awaited.Add(segment, EndOf(transfer)); // It reaches further, or the segment was removed since.
                    continue;
                }

                _waitingSlots.RemoveAt(i);
            }
        }

        if (isAny)
        {
            SubmitPrepared();
        }
    }

    private void Wake()
    {
        var one = 1UL;
        _ = Libc.Write(CompletionDescriptor, &one, sizeof(ulong)); // A full counter is readable as well.
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
        _waitingSlots.Clear();
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
    protected readonly struct Transfer(long offset, byte* buffer, int bytes, bool isWrite)
    {
        public readonly long Offset = offset;
        public readonly byte* Buffer = buffer;
        public readonly int Bytes = bytes;
        public readonly bool IsWrite = isWrite;
    }

    private struct Slot
    {
        public ulong Token;
        public SegmentFile? File;
        public Transfer Waiting;
        public int Result;
        public bool IsUsed;
    }
}
