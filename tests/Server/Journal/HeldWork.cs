using Strata.Server.Journal;
using Strata.Server.Journal.Files;

namespace Strata.Tests.Server.Journal;

/// <summary>Does what waits for the disk at once, or when the test says so.</summary>
internal sealed class HeldWork : IBackgroundWork
{
    private Func<JournalError>? _work;
    private JournalError? _result;

    /// <summary>Whether what is begun waits for <see cref="Do"/>.</summary>
    public bool IsHeld { get; set; }

    /// <summary>Whether something waits.</summary>
    public bool IsWaiting => _work != null;

    /// <summary>Whether something has ended, and that was not taken.</summary>
    public bool HasEnded => _result != null;

    public void Begin(Func<JournalError> work)
    {
        if (_work != null || _result != null)
        {
            throw new InvalidOperationException("one piece at a time");
        }

        _work = work;
        if (!IsHeld)
        {
            Do();
        }
    }

    /// <summary>Does what waits.</summary>
    public void Do()
    {
        _result = _work!();
        _work = null;
    }

    public bool TryEnd(out JournalError error)
    {
        error = _result ?? default;
        var hasEnded = _result != null;
        _result = null;
        return hasEnded;
    }

    public void Await()
    {
        if (_work != null)
        {
            Do();
        }
    }

    public void Dispose()
    {
        // Nothing is held.
    }
}
