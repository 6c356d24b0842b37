namespace Strata.Server.Persistence;

/// <summary>What is to be loaded while the server runs, one request at a time. Any thread.</summary>
internal sealed class Reloads
{
    private readonly Snapshots _snapshots;
    private readonly Action<Action> _postToFirst;
    private int _isUnderWay;
    private long _changesSaved = -1;
    private Action? _saveAgain;
    private volatile ReloadRequest? _wanted;

    /// <summary>None yet.</summary>
    /// <param name="snapshots">What saves the data.</param>
    /// <param name="postToFirst">Has something done on the first worker's thread.</param>
    public Reloads(Snapshots snapshots, Action<Action> postToFirst)
    {
        _snapshots = snapshots;
        _postToFirst = postToFirst;
    }

    /// <summary>What the first worker is to load; null for nothing.</summary>
    public ReloadRequest? Wanted => _wanted;

    /// <summary>Begins with a request.</summary>
    /// <returns>False where one is under way.</returns>
    public bool TryBegin() => Interlocked.Exchange(ref _isUnderWay, 1) == 0;

    /// <summary>Saves the data first, and has nothing changed from then on until the request that was begun has ended.
    /// </summary>
    /// <param name="request">What is loaded then.</param>
    /// <param name="onFailed">Called if the data cannot be saved, which ends the request. Any thread.</param>
    public void SaveAndWant(ReloadRequest request, Action onFailed)
    {
        _saveAgain = () => SaveAndWant(request, onFailed);
        var file = _snapshots.ToFile(SnapshotKind.Foreground, new SaveEnd(this, request, onFailed));
        _snapshots.Want(new SnapshotRequest
        {
            Kind = file.Kind,
            Open = file.Open,
            End = file.End,
            AtMoment = OnMoment,
        });
    }

    /// <summary>Begins anew if data was changed since it was saved: by commands which were being executed, or waited
    /// for a lease, when writes began to be held. Those that come later wait. On the first worker, while all leases are
    /// held.</summary>
    /// <returns>Whether it was.</returns>
    public bool TrySaveAgain()
    {
        if (_changesSaved < 0 || _changesSaved == _snapshots.History.AllChanges)
        {
            return false;
        }

        _wanted = null;
        _saveAgain!();
        return true;
    }

    /// <summary>Has the request loaded that was begun.</summary>
    public void Want(ReloadRequest request)
    {
        _wanted = request;
        _postToFirst(static () => { }); // It may be waiting for events.
    }

    /// <summary>The request has ended; on the first worker.</summary>
    public void End()
    {
        _wanted = null;
        _changesSaved = -1;
        _saveAgain = null;
        _snapshots.HoldsWrites = false;
        Volatile.Write(ref _isUnderWay, 0);
    }

    private void OnMoment()
    {
        _snapshots.HoldsWrites = true;
        _changesSaved = _snapshots.History.AllChanges;
    }

    private sealed class SaveEnd(Reloads owner, ReloadRequest request, Action onFailed) : ISnapshotEnd
    {
        /// <inheritdoc/>
        public void OnEnded(SnapshotOutcome outcome)
        {
            if (outcome.Error == null)
            {
                owner.Want(request);
                return;
            }

            owner.End();
            onFailed();
        }
    }
}
