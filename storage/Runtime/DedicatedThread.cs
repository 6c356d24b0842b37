using Strata.Storage.Interop;

namespace Strata.Storage.Runtime;

/// <summary>A thread for one piece of work that takes long, or does not end. Where the system gives no memory for it
/// the work is done by a thread of the runtime's pool, of which the program has some from its start.</summary>
/// <param name="name">The thread's name.</param>
/// <param name="work">What it does.</param>
public class DedicatedThread(string name, Action work)
{
    private const long ShortSleepNs = 50_000;

    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isStarted;

    /// <summary>Starts the work.</summary>
    public void Start()
    {
        _isStarted = true;
        try
        {
            Start(new Thread(Run) { Name = name, IsBackground = true });
        }
        catch (OutOfMemoryException)
        {
            _ = ThreadPool.UnsafeQueueUserWorkItem(static thread => thread.Run(), this, preferLocal: false);
        }
    }

    /// <summary>Waits until the work has ended, if it was started.</summary>
    public void Join()
    {
        if (_isStarted)
        {
            _end.Task.Wait();
        }
    }

    /// <summary>The same, for so long at most.</summary>
    /// <returns>Whether it has ended.</returns>
    public bool Join(TimeSpan patience) => !_isStarted || _end.Task.Wait(patience);

    /// <summary>Lets the thread that calls sleep for less than the millisecond that .NET knows: 50 µs, and what the
    /// kernel adds.</summary>
    public static unsafe void SleepShortly()
    {
        var time = stackalloc long[2] { 0, ShortSleepNs }; // struct timespec: seconds, nanoseconds
        _ = Libc.NanoSleep(time, null);
    }

    /// <summary>Starts the thread, or, in tests, does not.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    internal virtual void Start(Thread thread) => thread.Start();

    private void Run()
    {
        work();
        _end.SetResult();
    }
}
