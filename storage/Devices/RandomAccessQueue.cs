using System.Runtime.InteropServices;
using Strata.Storage.Devices.Files;
using Strata.Storage.Interop;
using Strata.Storage.Runtime;

namespace Strata.Storage.Devices;

/// <summary>
/// A queue whose requests run on the thread pool and come back through a lock-free queue and an eventfd, which is
/// written only for an owner that has armed it. Every slot has one work item for good: a request allocates nothing.
/// </summary>
internal sealed unsafe class RandomAccessQueue : FileQueue
{
    private readonly RequestItem[] _items;
    private readonly RequestItem[] _prepared;
    private readonly WorkQueue _completed = new();
    private readonly int _eventFd;
    private WorkItem? _taken;
    private int _preparedCount;
    private int _inFlight;
    private int _running;
    private int _isArmed;

    /// <summary>Opens a queue.</summary>
    /// <exception cref="DeviceException">No file descriptors are to be had.</exception>
    public RandomAccessQueue(FileDevice device, SegmentFiles files, int depth)
        : base(device, files, depth)
    {
        _items = new RequestItem[depth];
        _prepared = new RequestItem[depth];
        for (var slot = 0; slot < depth; slot++)
        {
            _items[slot] = new RequestItem(this, slot);
        }

        // Blocking: a Reap that waits reads it.
        _eventFd = Libc.EventFd(0, Libc.EventFdCloexec);
        if (_eventFd < 0)
        {
            throw new DeviceException(
                $"cannot open a device queue's eventfd (errno {Marshal.GetLastPInvokeError()}): raise 'ulimit -n'");
        }
    }

    /// <inheritdoc/>
    public override int CompletionDescriptor => _eventFd;

    /// <inheritdoc/>
    protected override void Prepare(int slot, SegmentFile file, long offset, in Transfer transfer)
    {
        var item = _items[slot];
        item.Begin(file.Handle, offset, transfer.Buffer, transfer.Bytes, transfer.IsWrite);
        _prepared[_preparedCount++] = item;
    }

    /// <inheritdoc/>
    protected override void SubmitPrepared()
    {
        _inFlight += _preparedCount;
        Interlocked.Add(ref _running, _preparedCount);
        for (var i = 0; i < _preparedCount; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(_prepared[i], preferLocal: false);
        }

        _preparedCount = 0;
    }

    /// <inheritdoc/>
    protected override int Collect(Span<DeviceCompletion> completions, int least)
    {
        if (least > 0)
        {
            SubmitPrepared();
        }

        var count = Take(completions);
        while (count < least && _inFlight > 0)
        {
            if (Arm())
            {
                ulong counter;
                _ = Libc.Read(_eventFd, &counter, sizeof(ulong)); // Interrupted or old news: what is there tells.
            }

            count += Take(completions[count..]);
        }

        return count;
    }

    /// <inheritdoc/>
    protected override bool Arm()
    {
        // Whoever completes a request looks at the flag after its item is in the queue; both are full fences.
        Interlocked.Exchange(ref _isArmed, 1);
        if (_taken == null && _completed.IsEmpty)
        {
            return true;
        }

        Volatile.Write(ref _isArmed, 0);
        return false;
    }

    /// <inheritdoc/>
    protected override void Stop()
    {
        var spinner = default(SpinWait);
        while (Volatile.Read(ref _running) > 0)
        {
            spinner.SpinOnce();
        }

        Notify();
    }

    /// <inheritdoc/>
    protected override void Free() => _ = Libc.Close(_eventFd); // An eventfd has nothing that could fail to be written.

    private int Take(Span<DeviceCompletion> completions)
    {
        var count = 0;
        while (count < completions.Length)
        {
            _taken ??= _completed.IsEmpty ? null : _completed.TakeAll();
            if (_taken == null)
            {
                break;
            }

            var item = (RequestItem)_taken;
            _taken = item.Unlink();
            completions[count++] = new DeviceCompletion((ulong)item.Slot, item.Result);
        }

        _inFlight -= count;
        return count;
    }

    private void Notify()
    {
        var one = 1UL;
        _ = Libc.Write(_eventFd, &one, sizeof(ulong)); // A full counter is readable as well.
    }

    private void OnEnded(RequestItem item)
    {
        _completed.Add(item);
        if (Volatile.Read(ref _isArmed) != 0 && Interlocked.Exchange(ref _isArmed, 0) != 0)
        {
            Notify();
        }

        // Last: after it the queue may be freed.
        Interlocked.Decrement(ref _running);
    }

    /// <summary>A slot's request, as the thread pool and the queue of completions know it.</summary>
    private sealed class RequestItem(RandomAccessQueue queue, int slot) : WorkItem, IThreadPoolWorkItem
    {
        private Microsoft.Win32.SafeHandles.SafeFileHandle? _handle;
        private long _offset;
        private byte* _buffer;
        private int _bytes;
        private bool _isWrite;

        public int Slot => slot;

        public int Result { get; private set; }

        public void Begin(Microsoft.Win32.SafeHandles.SafeFileHandle handle, long offset, byte* buffer, int bytes,
            bool isWrite)
        {
            _handle = handle;
            _offset = offset;
            _buffer = buffer;
            _bytes = bytes;
            _isWrite = isWrite;
        }

        /// <inheritdoc/>
        public void Execute()
        {
            try
            {
                Result = _isWrite ? Write() : Read();
            }
            catch (Exception exception) when (FileErrors.IsFileError(exception))
            {
                Result = -FileErrors.ToErrno(exception);
            }

            queue.OnEnded(this);
        }

        /// <inheritdoc/>
        public override void Run(Worker worker) => Invariant.Check(false, "a device's request is posted to no worker");

        private int Write()
        {
            RandomAccess.Write(_handle!, new ReadOnlySpan<byte>(_buffer, _bytes), _offset);
            return _bytes;
        }

        private int Read()
        {
            var done = 0;
            while (done < _bytes)
            {
                var read = RandomAccess.Read(_handle!, new Span<byte>(_buffer + done, _bytes - done), _offset + done);
                if (read == 0)
                {
                    break; // The end of the file.
                }

                done += read;
            }

            return done;
        }
    }
}
