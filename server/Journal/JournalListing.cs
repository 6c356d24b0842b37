using Strata.Server.Journal.Files;

namespace Strata.Server.Journal;

/// <summary>A base that a rewrite has made, on its way to be listed: once the disk has what was written by the time it
/// was taken. The journal's thread's, where nothing else is said.</summary>
/// <param name="files">The files.</param>
/// <param name="background">Who waits for the disk.</param>
internal sealed class JournalListing(JournalFiles files, JournalBackground background)
{
    private JournalBase? _given;
    private JournalBase? _taken;
    private long _behind;

    /// <summary>A base was written that a rotation began. Any thread.</summary>
    public void Give(JournalBase newBase) => Volatile.Write(ref _given, newBase);

    /// <summary>Takes a base back that is not wanted any more. Any thread.</summary>
    /// <returns>False when it is late: it is told what became of it.</returns>
    public bool TryTakeBack(JournalBase newBase)
        => Interlocked.CompareExchange(ref _given, null, newBase) == newBase;

    /// <summary>Whether it waits for the disk to have more.</summary>
    /// <param name="synced">The last batch that it has.</param>
    public bool NeedsSync(long synced) => _taken != null && synced < _behind;

    /// <summary>Takes a base that was given.</summary>
    /// <param name="written">The last batch that was written.</param>
    /// <returns>Whether there was one.</returns>
    public bool TryTake(long written)
    {
        if (_taken != null || Interlocked.Exchange(ref _given, null) is not { } given)
        {
            return false;
        }

        (_taken, _behind) = (given, written);
        return true;
    }

    /// <summary>Gives it up, if there is one.</summary>
    /// <returns>Whether there was.</returns>
    public bool TryGiveUp(string problem)
    {
        if (_taken is not { } given || background.IsBusy)
        {
            return false;
        }

        _taken = null;
        given.OnDone(problem);
        return true;
    }

    /// <summary>Begins to list it, if that is due.</summary>
    /// <param name="synced">The last batch that the disk has.</param>
    /// <param name="onListed">Called with the size of the base, bytes, before who made it is told.</param>
    public void GoOn(long synced, Action<long> onListed)
    {
        if (_taken is not { } given || synced < _behind || background.IsBusy)
        {
            return;
        }

        var bytes = 0L;
        background.Begin(() => List(given, out bytes), syncs: false, error =>
        {
            _taken = null;
            if (!error.IsError)
            {
                onListed(bytes);
            }

            given.OnDone(error.IsError ? error.Text : null);
        });
    }

    private JournalError List(JournalBase given, out long bytes)
    {
        bytes = 0;
        lock (files)
        {
            var error = given.File == null
                ? files.EndRewrite(given.FirstIncrement)
                : files.EndRewrite(given.File, given.FirstIncrement);
            return error.IsError ? error : files.Measure(out _, out bytes);
        }
    }
}
