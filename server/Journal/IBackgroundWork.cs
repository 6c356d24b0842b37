using Strata.Server.Journal.Files;

namespace Strata.Server.Journal;

/// <summary>Does what waits for the disk beside the thread that wants it, one piece at a time. That one thread uses it.
/// </summary>
internal interface IBackgroundWork : IDisposable
{
    /// <summary>Begins a piece. The one before has ended, and that was taken.</summary>
    void Begin(Func<JournalError> work);

    /// <summary>Takes the end of what was begun.</summary>
    /// <param name="error">What it has come to.</param>
    /// <returns>False while it has not ended.</returns>
    bool TryEnd(out JournalError error);

    /// <summary>Waits until what was begun has ended.</summary>
    void Await();
}
