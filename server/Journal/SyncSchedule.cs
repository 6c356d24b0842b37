using Strata.Server.Options;

namespace Strata.Server.Journal;

/// <summary>When what was written to the journal is to be brought to the disk. The journal's thread's.</summary>
/// <param name="clock">Tells when a second is over.</param>
/// <param name="options">Gives the configuration in force.</param>
/// <param name="isSnapshotUnderWay">Whether data is being saved, or the files rewritten.</param>
internal sealed class SyncSchedule(TimeProvider clock, Func<ServerOptions> options, Func<bool> isSnapshotUnderWay)
{
    private long _beganTimestamp = clock.GetTimestamp();

    /// <summary>Whether each batch is waited for.</summary>
    public bool IsAwaited => options().AppendFsync == SyncPolicy.Always;

    /// <summary>Whether each batch is brought to the disk before it is answered.</summary>
    public bool IsEachSynced => IsAwaited && !IsSuspended;

    /// <summary>Whether the last sync, or the last look that found one still under way, is longer ago than it may be.
    /// </summary>
    public bool IsPeriodOver => clock.GetElapsedTime(_beganTimestamp) >= ServerLimits.JournalSyncPeriod;

    /// <summary>Whether it is time.</summary>
    public bool IsDue
        => !IsSuspended
            && options().AppendFsync switch
            {
                SyncPolicy.Always => true,
                SyncPolicy.EverySec => IsPeriodOver,
                _ => false,
            };

    private bool IsSuspended => options().NoAppendfsyncOnRewrite && isSnapshotUnderWay();

    /// <summary>A period begins.</summary>
    public void Begin() => _beganTimestamp = clock.GetTimestamp();
}
