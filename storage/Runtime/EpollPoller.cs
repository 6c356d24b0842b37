using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Storage.Runtime;

/// <summary>
/// One epoll instance with its table of handlers, and the eventfd other threads wake it by. An event for a handler that
/// was removed after the kernel reported it is dropped: the user data carries the slot's generation.
/// </summary>
public sealed unsafe class EpollPoller : IPoller
{
    private const uint WakeSlot = uint.MaxValue;

    private readonly int _epoll;
    private readonly int _wakeFd;
    private readonly byte* _events;
    private byte* _eventsWithin;
    private readonly Stack<int> _freeSlots = new();
    private Slot[] _slots = new Slot[64];
    private int _slotTop;

    /// <summary>Opens the descriptors.</summary>
    /// <exception cref="IOException">No file descriptors are to be had.</exception>
    public EpollPoller()
    {
        _epoll = Libc.EpollCreate(Libc.EpollCloexec);
        _wakeFd = _epoll < 0 ? -1 : Libc.EventFd(0, Libc.EventFdCloexec | Libc.EventFdNonBlock);
        _events = AllocateEvents();
        if (_wakeFd < 0 || Control(Libc.EpollCtlAdd, _wakeFd, EpollEvents.In, WakeSlot) != 0)
        {
            var errno = Marshal.GetLastPInvokeError();
            Dispose();
            throw new IOException($"cannot open an event loop (errno {errno}): raise 'ulimit -n'");
        }
    }

    /// <summary>Handlers registered.</summary>
    public int Count { get; private set; }

    /// <inheritdoc/>
    public int Add(int fd, uint mask, IEventHandler handler)
    {
        if (!_freeSlots.TryPop(out var slot))
        {
            slot = _slotTop++;
            if (slot == _slots.Length)
            {
                Array.Resize(ref _slots, _slots.Length * 2);
            }
        }

        _slots[slot].Handler = handler;
        if (Control(Libc.EpollCtlAdd, fd, mask, DataOf(slot)) != 0)
        {
            Free(slot);
            return -1;
        }

        Count++;
        return slot;
    }

    /// <inheritdoc/>
    public bool Modify(int slot, int fd, uint mask) => Control(Libc.EpollCtlMod, fd, mask, DataOf(slot)) == 0;

    /// <inheritdoc/>
    public void Remove(int slot, int fd)
    {
        _ = Control(Libc.EpollCtlDel, fd, 0, 0); // Fails only for a descriptor that is gone, which is what is wanted.
        Free(slot);
        Count--;
    }

    /// <inheritdoc/>
    public void Wake()
    {
        var one = 1UL;
        _ = Libc.Write(_wakeFd, &one, sizeof(ulong)); // EAGAIN: the counter is full, the loop is awake already.
    }

    /// <inheritdoc/>
    public int Wait(int timeoutMs) => Wait(_events, timeoutMs);

    /// <inheritdoc/>
    public void Dispatch(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var data = EpollEvents.Data(_events, i);
            var slot = (uint)data;
            if (slot == WakeSlot)
            {
                ResetWake();
            }
            else if (_slots[slot].Generation == (uint)(data >> 32))
            {
                _slots[slot].Handler!.OnEvents(EpollEvents.Mask(_events, i));
            }
        }
    }

    /// <inheritdoc/>
    public int DispatchWithin(IEventHandler executing)
    {
        if (_eventsWithin == null)
        {
            _eventsWithin = AllocateEvents();
        }

        var count = Wait(_eventsWithin, 0);
        for (var i = 0; i < count; i++)
        {
            var data = EpollEvents.Data(_eventsWithin, i);
            var slot = (uint)data;
            if (slot == WakeSlot)
            {
                ResetWake();
            }
            else if (_slots[slot].Generation == (uint)(data >> 32) && _slots[slot].Handler != executing)
            {
                _slots[slot].Handler!.OnEvents(EpollEvents.Mask(_eventsWithin, i));
            }
        }

        return count;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_wakeFd >= 0)
        {
            _ = Libc.Close(_wakeFd);
        }

        if (_epoll >= 0)
        {
            _ = Libc.Close(_epoll);
        }

        NativeMemory.Free(_events);
        NativeMemory.Free(_eventsWithin);
    }

    private static byte* AllocateEvents()
        => (byte*)NativeMemory.AllocZeroed((nuint)(Limits.EventsPerWait * EpollEvents.Size));

    private int Wait(byte* events, int timeoutMs)
        => Math.Max(0, Libc.EpollWait(_epoll, events, Limits.EventsPerWait, timeoutMs));

    /// <summary>What woke the loop is in its inbox.</summary>
    private void ResetWake()
    {
        ulong counter;
        _ = Libc.Read(_wakeFd, &counter, sizeof(ulong));
    }

    private ulong DataOf(int slot) => (uint)slot | ((ulong)_slots[slot].Generation << 32);

    private void Free(int slot)
    {
        _slots[slot].Handler = null;
        _slots[slot].Generation++;
        _freeSlots.Push(slot);
    }

    private int Control(int operation, int fd, uint mask, ulong data)
    {
        var e = stackalloc byte[EpollEvents.Size];
        EpollEvents.Set(e, mask, data);
        return Libc.EpollControl(_epoll, operation, fd, e);
    }

    private struct Slot
    {
        public IEventHandler? Handler;
        public uint Generation;
    }
}
