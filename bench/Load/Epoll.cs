using System.ComponentModel;
using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Bench.Load;

/// <summary>Waits for many sockets at once on one thread, level-triggered. One thread owns it.</summary>
internal sealed unsafe class Epoll : IDisposable
{
    private const int MaxEvents = 256;
    private const int Interrupted = 4;

    private readonly int _epoll;
    private readonly byte* _events;

    public Epoll()
    {
        _epoll = Libc.EpollCreate(Libc.EpollCloexec);
        ThrowIfFailed(_epoll, "epoll_create1");
        _events = (byte*)NativeMemory.AllocZeroed((nuint)(MaxEvents * EpollEvents.Size));
    }

    /// <summary>Watches a socket for input; <paramref name="index"/> is what <see cref="Index"/> says it is.</summary>
    public void Add(SafeHandle socket, int index) => Control(Libc.EpollCtlAdd, socket, index, EpollEvents.In);

    /// <summary>From now on also reports, or no longer reports, that the socket takes output.</summary>
    public void WatchOutput(SafeHandle socket, int index, bool watch) =>
        Control(Libc.EpollCtlMod, socket, index, watch ? EpollEvents.In | EpollEvents.Out : EpollEvents.In);

    /// <summary>Waits for events and says how many there are; 0 when the time is over or a signal came.</summary>
    public int Wait(int timeoutMs)
    {
        var count = Libc.EpollWait(_epoll, _events, MaxEvents, timeoutMs);
        if (count < 0 && Marshal.GetLastPInvokeError() == Interrupted)
        {
            return 0;
        }

        ThrowIfFailed(count, "epoll_wait");
        return count;
    }

    /// <summary>Which socket the event is of.</summary>
    public int Index(int e) => (int)EpollEvents.Data(_events, e);

    /// <summary>Whether there is something to read: bytes, the end, or an error.</summary>
    public bool IsReadable(int e) => (EpollEvents.Mask(_events, e) & ~EpollEvents.Out) != 0;

    public void Dispose()
    {
        NativeMemory.Free(_events);
        ThrowIfFailed(Libc.Close(_epoll), "close");
    }

    private void Control(int operation, SafeHandle socket, int index, uint mask)
    {
        var e = stackalloc byte[EpollEvents.Size];
        EpollEvents.Set(e, mask, (ulong)index);
        ThrowIfFailed(Libc.EpollControl(_epoll, operation, (int)socket.DangerousGetHandle(), e), "epoll_ctl");
    }

    private static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            var error = Marshal.GetLastPInvokeError();
            throw new BenchException($"{call} failed: {new Win32Exception(error).Message} (errno {error}).");
        }
    }
}
