using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;

namespace Strata.Server.Journal;

/// <summary>What stands in the way of the journal, as clients and the log are told of it. The journal's thread's.
/// </summary>
/// <param name="journal">What refuses changes meanwhile.</param>
/// <param name="log">Where it is said.</param>
/// <param name="await">Lets some time pass before something is tried again; false when the server ends.</param>
internal sealed class JournalTrouble(EffectJournal journal, ServerLog log, Func<bool> await)
{
    private bool _isBaseAwaited;

    /// <summary>Whether changes are refused until there is a new base. Any thread.</summary>
    public bool IsBaseAwaited
    {
        get => Volatile.Read(ref _isBaseAwaited);
        set => Volatile.Write(ref _isBaseAwaited, value);
    }

    /// <summary>Why what is told is written no more, as the server ends, or the journal does; null while it is.
    /// </summary>
    public string? Abandoned { get; private set; }

    /// <summary>Lets some time pass after something has failed.</summary>
    /// <returns>False when it is to be given up, as the server ends: what follows is taken, and not written.</returns>
    public bool TryAwait(in JournalError error)
    {
        Report(error.Text);
        if (await())
        {
            return true;
        }

        Abandoned ??= error.Text;
        return false;
    }

    /// <summary>Something has failed: changes are refused.</summary>
    public void Report(string reason)
    {
        if (journal.Problem == null)
        {
            log.JournalCannotBeWritten(reason);
        }

        journal.Problem = new JournalProblem(reason);
    }

    /// <summary>Something was done.</summary>
    public void End()
    {
        if (journal.Problem != null && !_isBaseAwaited && Abandoned == null)
        {
            journal.Problem = null;
            log.JournalIsWrittenAgain();
        }
    }
}
