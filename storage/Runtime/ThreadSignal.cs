using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Storage.Runtime;

/// <summary>
/// Lets one thread sleep until another wakes it. What is signalled while it does not sleep ends its next sleep before
/// that begins: neither then costs a call of the kernel. Signals are not counted.
/// </summary>
public sealed unsafe class ThreadSignal : IDisposable
{
    private const int Awake = 0;
    private const int Asleep = 1;
    private const int Signalled = 2;

    private readonly int _fd;
    private int _state;

    /// <summary>A signal that was not given.</summary>
    /// <exception cref="IOException">No file descriptors are to be had.</exception>
    public ThreadSignal()
    {
        _fd = Libc.EventFd(0, Libc.EventFdCloexec | Libc.EventFdNonBlock);
        if (_fd < 0)
        {
            throw new IOException(
                $"cannot let a thread sleep (errno {Marshal.GetLastPInvokeError()}): raise 'ulimit -n'");
        }
    }

    /// <summary>Ends the sleep, this or the next. Any thread.</summary>
    public void Set()
    {
        // A full fence: what was done before is seen by who wakes, or by who is about to sleep.
        if (Interlocked.Exchange(ref _state, Signalled) == Asleep)
        {
            var one = 1UL;
            _ = Libc.Write(_fd, &one, sizeof(ulong)); // EAGAIN: the counter is full, which wakes as well.
        }
    }

    /// <summary>Sleeps until there is a signal, or some time has passed. The one thread.</summary>
    public void Wait(int timeoutMs)
    {
        if (Interlocked.CompareExchange(ref _state, Asleep, Awake) == Awake)
        {
            var descriptor = new PollDescriptor { Fd = _fd, Events = Libc.PollIn };
            if (Libc.Poll(&descriptor, 1, timeoutMs) > 0)
            {
                ulong counter;
                _ = Libc.Read(_fd, &counter, sizeof(ulong));
            }
        }

        // A signal that comes just now may still write to the descriptor: then the next sleep is short.
        _ = Interlocked.Exchange(ref _state, Awake);
    }

    /// <inheritdoc/>
    public void Dispose() => _ = Libc.Close(_fd);
}
