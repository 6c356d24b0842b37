namespace Strata.Server.Journal;

/// <summary>
/// Whether the next batch had better wait a moment before it is brought to the disk (group commit, DeWitt et al.,
/// SIGMOD '84): those who were just answered are about to send again, and would otherwise wait for it and for a sync of
/// their own, so that clients fall into two halves that take turns at a slow disk. The wait ends when as much has come
/// as was synced last and came meanwhile, or after a part of what the sync took; where it was in vain, some go without.
/// A fast disk is not waited for. The journal's thread's.
/// </summary>
/// <param name="clock">Tells how long a sync takes, and the wait.</param>
internal sealed class GroupCommit(TimeProvider clock)
{
    // The part of a sync's time that is waited at most, and how long that may be.
    private const int Share = 2;
    private const double MostWaitMs = 2;
    private const int MsPerSecond = 1000;

    // How many syncs go without a wait after one in vain.
    private const int Passes = 16;

    // How long a sync takes at least of a disk that is slow: less is not worth a thread's wake-up.
    private static readonly TimeSpan s_slowSync = TimeSpan.FromMicroseconds(400);

    private long _began;
    private long _synced;
    private long _start;
    private long _target;
    private long _deadline;
    private int _passes;

    /// <summary>A sync begins.</summary>
    public void Begin() => _began = clock.GetTimestamp();

    /// <summary>It has ended.</summary>
    /// <param name="synced">The last batch that it brought to the disk.</param>
    /// <param name="last">The last that was told by now.</param>
    public void End(long synced, long last)
    {
        var now = clock.GetTimestamp();
        var took = clock.GetElapsedTime(_began, now);
        var count = synced - _synced;
        _synced = synced;
        if (took < s_slowSync)
        {
            return;
        }

        if (_passes > 0)
        {
            _passes--;
            return;
        }

        var waitMs = Math.Min(took.TotalMilliseconds / Share, MostWaitMs);
        (_start, _target) = (last, last + count);
        _deadline = now + (long)(waitMs * clock.TimestampFrequency / MsPerSecond);
    }

    /// <summary>Whether more is waited for.</summary>
    /// <param name="last">The last batch that was told by now.</param>
    public bool Waits(long last)
    {
        if (_target == 0)
        {
            return false;
        }

        if (last < _target && clock.GetTimestamp() < _deadline)
        {
            return true;
        }

        // Others than those who were answered come, too, at any time: fewer than half as many say nothing.
        _passes = last - _start < (_target - _start) / 2 ? Passes : 0;
        _target = 0;
        return false;
    }
}
