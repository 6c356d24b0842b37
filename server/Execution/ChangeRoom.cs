using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Journal;
using Strata.Storage.Memory;

namespace Strata.Server.Execution;

/// <summary>
/// Memory that commands take at once though what they were sent as was charged when it arrived: what they tell the
/// journal is copied, until that has written it, and the values of a transaction are made while what was queued is
/// still there. Large ones ask before they begin.
/// </summary>
internal sealed class ChangeRoom(ExecutionWorker worker)
{
    private readonly EffectJournal _journal = worker.Services.Journal;
    private readonly MemoryBudget _budget = worker.Budget;

    // What waits to be written is memory that others will have soon.
    private bool IsJournalBehind
        => _journal.Problem == null && _journal.QueuedBytes > ServerLimits.JournalQueueLeastBytes;

    /// <summary>Whether what was told to the journal, and is not written yet, is what memory is at its end for: a
    /// script's effects may wait until it ends, however many they are.</summary>
    public bool IsFullOfEffects
        => _journal.IsOn && _journal.QueuedBytes > ServerLimits.JournalQueueLeastBytes && _budget.WouldPassEndNow(0);

    /// <summary>What EXEC takes beside what was queued, bytes: values, and what the journal is told.</summary>
    public long BytesOfQueue(CommandContext context)
    {
        if (context.Session.Transaction.Queue is not { } queue || !context.Row.Has(CommandFlags.ExecutesQueue)
            || queue.Bytes < ServerLimits.FreeChangeBytes || (queue.Flags & CommandFlags.Write) == 0)
        {
            return 0;
        }

        var valueBytes = (queue.Flags & CommandFlags.DenyOom) != 0 ? queue.Bytes : 0;
        return valueBytes + (_journal.IsOn ? queue.Bytes : 0);
    }

    /// <summary>What a command of so many bytes takes, beside what it was received in: what the journal is told, and
    /// what it makes of them, if it makes anything.</summary>
    public static long BytesOf(CommandRow row, long argumentBytes)
        => row.Has(CommandFlags.DenyOom) ? 2 * argumentBytes : argumentBytes;

    /// <summary>Whether there is memory for what a command takes while the journal is told of it.</summary>
    /// <param name="bytes">What it takes.</param>
    /// <param name="isCalled">Whether the command can wait for nothing.</param>
    public Room RoomForEffects(long bytes, bool isCalled)
        => !_budget.WouldPassEndNow(bytes + _budget.LeavingBytes) // What it was received in stays until it is told.
            ? Room.Made
            : IsJournalBehind && !isCalled && !_budget.CanNeverHold(bytes) ? Room.OnItsWay
            : Room.None;
}
