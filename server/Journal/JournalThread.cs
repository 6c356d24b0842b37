using Strata.Storage.Runtime;

namespace Strata.Server.Journal;

/// <summary>The thread that writes the journal. It looks for effects by itself, often while there are some; who waits
/// for them to be on the disk wakes it.</summary>
internal sealed class JournalThread : IDisposable
{
    private readonly JournalKeeper _keeper;
    private readonly DedicatedThread _thread;
    private readonly ThreadSignal _wake;
    private volatile bool _isStopping;
    private volatile bool _hasEnded;

    /// <summary>A thread that does not run yet.</summary>
    /// <param name="wake">What it sleeps by; the caller's, for one such thread at a time.</param>
    /// <param name="make">Makes what it does, given a way to wait between two tries, and who waits for the disk.
    /// </param>
    public JournalThread(ThreadSignal wake, Func<Func<bool>, IBackgroundWork, JournalKeeper> make)
    {
        _wake = wake;
        _keeper = make(AwaitNextTry, new BackgroundThread("journal-disk", _wake.Set));
        _thread = new DedicatedThread("journal", Run);
    }

    /// <summary>What it does.</summary>
    public JournalKeeper Keeper => _keeper;

    /// <summary>Why the rest could not be written when it ended; null if it was.</summary>
    public string? Failure { get; private set; }

    /// <summary>Starts it.</summary>
    public void Start() => _thread.Start();

    /// <summary>Effects wait that somebody waits for. Any thread.</summary>
    public void Wake() => _wake.Set();

    /// <summary>Whether it has ended. Any thread.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>Has it write what is left, and end; does not wait for that. What cannot be written is given up.
    /// </summary>
    public void End()
    {
        _isStopping = true;
        _wake.Set();
    }

    /// <summary>Writes what is left, and ends. What cannot be written within a while is given up.</summary>
    public void Stop()
    {
        End();
        _thread.Join();
    }

    /// <inheritdoc/>
    public void Dispose() => _keeper.Dispose();

    private void Run()
    {
        try
        {
            while (!_isStopping)
            {
                var isBusy = _keeper.Turn();
                _wake.Wait(isBusy ? ServerLimits.JournalBusyWaitMs : ServerLimits.JournalIdleWaitMs);
                while (!_isStopping && _keeper.WaitsForMore)
                {
                    DedicatedThread.SleepShortly();
                }
            }

            _keeper.Finish();
        }
        catch (JournalAbandonedException exception)
        {
            Failure = exception.Message;
        }

        _hasEnded = true;
    }

    private bool AwaitNextTry()
    {
        if (_isStopping)
        {
            return false;
        }

        _wake.Wait(ServerLimits.JournalRetryMs);
        return !_isStopping;
    }
}
