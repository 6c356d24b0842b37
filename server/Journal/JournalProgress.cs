using Strata.Server.Runtime;

namespace Strata.Server.Journal;

/// <summary>Tells how far the journal has come, and lets those go on who wait for that: for the disk, or, where what is
/// written is not brought there before it is answered, for the kernel. The journal's thread's.</summary>
/// <param name="journal">Where who waits is called.</param>
/// <param name="durability">Where it is told.</param>
/// <param name="syncs">Whether each batch is brought to the disk.</param>
internal sealed class JournalProgress(EffectJournal journal, Durability durability, SyncSchedule syncs)
{
    private bool _isUnlisted;

    /// <summary>Whether the file is no part of the journal yet: it follows a base that is still to come, before which
    /// nothing in it counts. Any thread may ask.</summary>
    public bool IsUnlisted
    {
        get => Volatile.Read(ref _isUnlisted);
        set => Volatile.Write(ref _isUnlisted, value);
    }

    /// <summary>The disk has all up to a batch.</summary>
    public void TellSynced(long last)
    {
        if (!_isUnlisted)
        {
            durability.Durable = last;
            Release(last);
        }
    }

    /// <summary>The kernel has all up to <see cref="Durability.Written"/>, unless that is lost.</summary>
    /// <param name="isLost">Whether a base that is still to come alone keeps it.</param>
    public void TellWritten(bool isLost)
    {
        if (durability.LastAwaited <= durability.Released || syncs.IsEachSynced)
        {
            return;
        }

        // Where nobody waits any more those do not that still do. Else they wait for what only the disk may lose.
        var last = !syncs.IsAwaited ? durability.Last
            : isLost || _isUnlisted ? 0
            : durability.Written;
        if (last > durability.Released)
        {
            Release(last);
        }
    }

    private void Release(long last)
    {
        durability.Release(last);
        journal.OnDurable();
    }
}
