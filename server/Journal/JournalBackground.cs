using Strata.Server.Journal.Files;
using Strata.Storage.Devices;

namespace Strata.Server.Journal;

/// <summary>What is done for the journal's thread beside it, since it waits for the disk, and what comes of it. All but
/// the numbers is that thread's.</summary>
/// <param name="work">Who does it.</param>
/// <param name="clock">Tells how long a sync takes.</param>
/// <param name="syncLatency">Where that is counted.</param>
internal sealed class JournalBackground(IBackgroundWork work, TimeProvider clock, RequestLatency syncLatency)
    : IDisposable
{
    private Action<JournalError>? _onEnded;
    private int _pendingSyncs;
    private long _delayedSyncs;

    /// <summary>Whether something is under way.</summary>
    public bool IsBusy => _onEnded != null;

    /// <summary>Whether that syncs a file: how far the disk has come nobody else may say meanwhile, since of two syncs
    /// at a time the system tells but one that what was written before is lost.</summary>
    public bool IsSyncing { get; private set; }

    /// <summary>Syncs that were begun and have not ended. Any thread.</summary>
    public int PendingSyncs => Volatile.Read(ref _pendingSyncs);

    /// <summary>Seconds at whose end a sync was due and the one before had not ended. Any thread.</summary>
    public long DelayedSyncs => Interlocked.Read(ref _delayedSyncs);

    /// <summary>Begins something; nothing is under way.</summary>
    /// <param name="piece">What, on another thread.</param>
    /// <param name="syncs">Whether it syncs a file that is written to.</param>
    /// <param name="onEnded">Called with what it has come to, by <see cref="TryEnd"/>.</param>
    public void Begin(Func<JournalError> piece, bool syncs, Action<JournalError> onEnded)
    {
        _onEnded = onEnded;
        IsSyncing = syncs;
        Volatile.Write(ref _pendingSyncs, syncs ? 1 : 0);
        work.Begin(piece);
    }

    /// <summary>Syncs a file, on whatever thread, and counts how long that takes; one at a time.</summary>
    public JournalError Time(Func<JournalError> sync)
    {
        var began = clock.GetTimestamp();
        var error = sync();
        syncLatency.Add(clock.GetElapsedTime(began).Ticks * TimeSpan.NanosecondsPerTick);
        return error;
    }

    /// <summary>A sync was due, and the one before had not ended.</summary>
    public void CountDelay() => Interlocked.Increment(ref _delayedSyncs);

    /// <summary>Makes of it what is to be made, if it has ended.</summary>
    /// <returns>Whether it has.</returns>
    public bool TryEnd()
    {
        if (_onEnded is not { } onEnded || !work.TryEnd(out var error))
        {
            return false;
        }

        _onEnded = null;
        IsSyncing = false;
        Volatile.Write(ref _pendingSyncs, 0);
        onEnded(error);
        return true;
    }

    /// <summary>Waits until it has ended, which is to be taken then.</summary>
    /// <returns>False where nothing is under way.</returns>
    public bool TryAwait()
    {
        if (_onEnded != null)
        {
            work.Await();
        }

        return _onEnded != null;
    }

    /// <inheritdoc/>
    public void Dispose() => work.Dispose();
}
