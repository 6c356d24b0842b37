using Strata.Server.Journal.Files;
using Strata.Storage;
using Strata.Storage.Runtime;

namespace Strata.Server.Journal;

/// <summary>A thread that waits for the disk in the place of another.</summary>
/// <param name="name">The thread's.</param>
/// <param name="onEnded">Called on it when a piece has ended.</param>
internal sealed class BackgroundThread(string name, Action onEnded) : IBackgroundWork
{
    private readonly object _lock = new();
    private DedicatedThread? _thread;
    private Func<JournalError>? _work;
    private volatile bool _hasEnded;
    private JournalError _error;
    private bool _isStopping;

    /// <inheritdoc/>
    public void Begin(Func<JournalError> work)
    {
        lock (_lock)
        {
            Invariant.Check(_work == null && !_hasEnded, "one piece at a time waits for the disk");
            _work = work;
            Monitor.PulseAll(_lock);
        }

        if (_thread == null)
        {
            _thread = new DedicatedThread(name, Run);
            _thread.Start();
        }
    }

    /// <inheritdoc/>
    public bool TryEnd(out JournalError error)
    {
        error = default;
        if (!_hasEnded)
        {
            return false;
        }

        error = _error;
        _hasEnded = false;
        return true;
    }

    /// <inheritdoc/>
    public void Await()
    {
        lock (_lock)
        {
            while (_work != null)
            {
                Monitor.Wait(_lock);
            }
        }
    }

    /// <summary>Ends the thread, once it has done what was begun; does not wait for that.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isStopping = true;
            Monitor.PulseAll(_lock);
        }
    }

    private void Run()
    {
        while (TryTake(out var work))
        {
            _error = work!();
            lock (_lock)
            {
                _work = null;
                _hasEnded = true;
                Monitor.PulseAll(_lock);
            }

            onEnded();
        }
    }

    private bool TryTake(out Func<JournalError>? work)
    {
        lock (_lock)
        {
            while (_work == null && !_isStopping)
            {
                Monitor.Wait(_lock);
            }

            work = _work;
            return work != null;
        }
    }
}
