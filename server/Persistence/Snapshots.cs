using Strata.Server.Journal.Files;
using Strata.Server.Options;
using Strata.Server.Runtime;
using Strata.Server.Scripting.Functions;
using Strata.Storage.Snapshot;
using Strata.Storage.Tiering;

namespace Strata.Server.Persistence;

/// <summary>
/// The server's snapshots, one at a time: BGSAVE, SAVE, save points, the last one before the end, and the bases of the
/// append-only file. One begins under all leases, by whoever holds them; the workers walk it, a thread writes it, and
/// its end comes back to the first worker. What stands in the way of another waits for it, or is refused, as by Redis.
/// </summary>
internal sealed class Snapshots
{
    private readonly ServerContext _server;
    private readonly FunctionCatalogue _functions;
    private readonly Action<Action> _postToFirst;
    private readonly SnapshotHistory _history;
    private readonly Queue<SnapshotRequest> _waiting = new();
    private readonly List<SnapshotRequest> _preparing = [];
    private readonly object _lock = new();
    private volatile Run? _current;
    private volatile bool _isStartWanted;
    private volatile bool _holdsWrites;
    private SnapshotRequest? _beginning;
    private PathLock? _fileLock;
    private volatile WriteGate _final = WriteGate.Open;
    private bool _isBackgroundScheduled;
    private long _lastTryMs;

    /// <summary>None yet.</summary>
    /// <param name="server">The server.</param>
    /// <param name="functions">Its functions.</param>
    /// <param name="postToFirst">Has something done on the first worker's thread.</param>
    public Snapshots(ServerContext server, FunctionCatalogue functions, Action<Action> postToFirst)
    {
        _server = server;
        _functions = functions;
        _postToFirst = postToFirst;
        _history = new SnapshotHistory(server);
    }

    /// <summary>What they have come to, for INFO.</summary>
    public SnapshotHistory History => _history;

    /// <summary>Called at each one's moment, while all leases are held; by tests, to do then what others do.</summary>
    public Action? Begun { get; set; }

    /// <summary>What the one under way is for; null while there is none.</summary>
    public SnapshotKind? UnderWay => _current?.Request.Kind;

    /// <summary>What the one is for that is under way, or that is about to begin; null where there is none. Any thread.
    /// </summary>
    public SnapshotKind? UnderWayOrNext
        => UnderWay ?? (IsWaiting(SnapshotKind.Rewrite) ? SnapshotKind.Rewrite : UnderWay); // It may just have begun.

    /// <summary>Whether the one under way is to be given up.</summary>
    public bool IsCancelled => _current is { IsCancelled: true };

    /// <summary>Whether one is to be begun as soon as all leases can be had.</summary>
    public bool IsStartWanted => _isStartWanted;

    /// <summary>Whether what changes data is to wait. Any thread.</summary>
    public bool HoldsWrites
    {
        get => _holdsWrites;
        set => _holdsWrites = value;
    }

    /// <summary>Whether commands may change data. Any thread; one look, mostly.</summary>
    public WriteGate Gate
    {
        get
        {
            if (_current is { } run && (run.Request.Kind == SnapshotKind.Final || run.Writer.HoldsBack))
            {
                return WriteGate.Held;
            }

            return _final != WriteGate.Open ? _final
                : _holdsWrites ? WriteGate.Held
                : _history.HasFailed && RefusesAfterFailure ? WriteGate.Refused
                : WriteGate.Open;
        }
    }

    /// <summary>Keys that the one under way has saved and has to save at all, and the memory that it takes.</summary>
    public (long Saved, long All, long Bytes) Progress
        => _current is { } run ? (run.Writer.KeysTaken, run.Writer.Keys, run.Writer.PeakBytes) : default;

    /// <summary>Where the data is saved to, and loaded from.</summary>
    public string FilePath => Path.Combine(Options.Directory, Options.DbFileName);

    private ServerOptions Options => _server.Configuration.Current;

    private bool RefusesAfterFailure => Options.StopWritesOnBgsaveError && Options.SavePoints.Count > 0;

    /// <summary>The request for a snapshot in the file of <c>dbfilename</c>.</summary>
    public SnapshotRequest ToFile(SnapshotKind kind, ISnapshotEnd? end = null) => new()
    {
        Kind = kind,
        Open = () =>
        {
            LockFile();
            return new DatabaseFile(Options.Directory, Options.DbFileName, Options.RdbSaveIncrementalFsync);
        },
        End = end,
    };

    /// <summary>Keeps other servers from saving to the same file, from here on. One thread at a time.</summary>
    /// <exception cref="IOException">Another does.</exception>
    public void LockFile()
    {
        var path = Path.GetFullPath(FilePath);
        if (_fileLock?.Path != path)
        {
            UnlockFile();
            _fileLock = PathLock.OfFile(path);
        }
    }

    /// <summary>Lets others use the file.</summary>
    public void UnlockFile()
    {
        _fileLock?.Dispose();
        _fileLock = null;
    }

    /// <summary>Begins one at this moment, or behind the one that is under way. All leases must be held.</summary>
    public void Begin(SnapshotRequest request)
    {
        if (_current != null)
        {
            Want(request);
            return;
        }

        var nowMs = _server.Platform.Clock.GetUtcNow().ToUnixTimeMilliseconds();
        request.AtMoment?.Invoke();
        Begun?.Invoke();
        var run = new Run(request);
        run.Writer = new SnapshotWriter(
            _server, _functions.AtMoment(), request, outcome => _postToFirst(() => OnEnded(run, outcome)));
        run.Writer.Walk = run.Walk = new SnapshotWalk(
            _server.Shards, run.Writer, nowMs, request.CheckpointNumber?.Invoke() ?? 0)
        {
            StepsPerSlice = _server.Platform.HasThreads ? int.MaxValue : 1,
        };
        _history.OnBegun(request.Kind, nowMs);
        _lastTryMs = nowMs;
        _current = run;
        if (_server.Platform.HasThreads)
        {
            run.Writer.Start();
        }
    }

    /// <summary>Begins one as soon as it is prepared, none is under way, and all leases can be had. Any thread; where
    /// it is to be prepared, the first worker, or whoever holds all leases.</summary>
    public void Want(SnapshotRequest request)
    {
        lock (_lock)
        {
            _preparing.Add(request);
        }

        Prepare(request);
    }

    private void Prepare(SnapshotRequest request)
    {
        var prepared = request.Prepare?.Invoke() ?? Task.CompletedTask;
        if (prepared.IsCompleted)
        {
            OnPrepared(request);
        }
        else
        {
            _ = prepared.ContinueWith(_ => OnPrepared(request), TaskScheduler.Default);
        }
    }

    private void OnPrepared(SnapshotRequest request)
    {
        lock (_lock)
        {
            if (_preparing.Remove(request))
            {
                _waiting.Enqueue(request);
                _isStartWanted = _current == null;
            }
        }

        _postToFirst(static () => { }); // It may be waiting for events.
    }

    /// <summary>BGSAVE is to follow what is under way.</summary>
    public void ScheduleBackground()
    {
        lock (_lock)
        {
            _isBackgroundScheduled = true;
        }
    }

    /// <summary>Begins the next one that is wanted, under all leases.</summary>
    public void BeginWanted()
    {
        SnapshotRequest? request;
        lock (_lock)
        {
            _isStartWanted = false;
            if (_current != null || !_waiting.TryDequeue(out request))
            {
                return;
            }

            _beginning = request;
        }

        if (request.IsNeeded?.Invoke() == false)
        {
            _postToFirst(() => request.End?.OnEnded(new SnapshotOutcome(null, IsCancelled: false, 0, 0)));
        }
        else
        {
            Begin(request);
        }

        lock (_lock)
        {
            _beginning = null;
            _isStartWanted = _current == null && _waiting.Count > 0;
        }
    }

    /// <summary>Goes on with the shards of one worker, on its thread.</summary>
    /// <param name="worker">The worker.</param>
    /// <param name="tier">Its way to the device.</param>
    /// <param name="ticks">How long.</param>
    /// <returns>Whether there is more to do at once.</returns>
    public bool GoOn(int worker, TierWorker? tier, long ticks)
    {
        if (_current is not { } run)
        {
            return false;
        }

        var isMore = run.Walk.Run(worker, _server.WorkerCount, tier, ticks);
        if (!_server.Platform.HasThreads && worker == 0 && !run.IsWritten)
        {
            run.IsWritten = run.Writer.TryWrite(waits: false);
        }

        return isMore;
    }

    /// <summary>Looks whether the data is to be saved by itself; on the first worker, some times a second.</summary>
    public void OnTick(long nowMs)
    {
        if (UnderWayOrNext != null || _isStartWanted || _final != WriteGate.Open)
        {
            return;
        }

        bool isScheduled;
        lock (_lock)
        {
            isScheduled = _isBackgroundScheduled;
            _isBackgroundScheduled = false;
        }

        if (isScheduled)
        {
            Want(ToFile(SnapshotKind.Background));
            return;
        }

        var changes = _history.Changes;
        var points = Options.SavePoints;
        for (var i = 0; i < points.Count; i++) // Ticks look: nothing is allocated.
        {
            var point = points[i];
            if (changes >= point.Changes && changes > 0 && nowMs - _history.LastSaveMs > point.Seconds * 1000
                && (!_history.HasFailed || nowMs - _lastTryMs > ServerLimits.SaveRetryMs))
            {
                _server.Log.SavePointReached(changes, point.Seconds);
                Want(ToFile(SnapshotKind.Background));
                return;
            }
        }
    }

    /// <summary>All keys were deleted (FLUSHALL): as by Redis, they are not to come back, where the data is to be saved
    /// by itself.</summary>
    public void OnFlushed()
    {
        if (Options.SavePoints.Count > 0 && _current == null && !_isStartWanted)
        {
            Want(ToFile(SnapshotKind.Foreground));
        }
    }

    /// <summary>Whether nothing is to be saved when the server ends: it was saved, or is not to be.</summary>
    public bool IsLastDone { get; set; }

    /// <summary>Wants the last snapshot before the end, in the place of all others. From its moment on nobody may
    /// change data, unless it fails. Any thread.</summary>
    /// <param name="end">Who is told of it.</param>
    /// <param name="isForced">Whether nobody may even where it fails, as the server ends all the same.</param>
    public void WantLast(ISnapshotEnd end, bool isForced)
    {
        Cancel("the server ends");
        Want(ToLast(new LastEnd(this, end, isForced), isNeeded: null));
    }

    private SnapshotRequest ToLast(LastEnd end, Func<bool>? isNeeded) => new()
    {
        Kind = SnapshotKind.Final,
        Open = ToFile(SnapshotKind.Final).Open,
        IsNeeded = isNeeded,
        AtMoment = end.OnMoment,
        End = end,
    };

    /// <summary>Ends the last snapshot before the end, if it is under way or wanted.</summary>
    public bool TryAbortLast()
    {
        if (UnderWay != SnapshotKind.Final && !IsWaiting(SnapshotKind.Final))
        {
            return false;
        }

        Cancel("SHUTDOWN ABORT");
        return true;
    }

    /// <summary>Ends what is under way, and what waits; <see cref="ISnapshotEnd"/> is told.</summary>
    public void Cancel(string reason)
    {
        lock (_lock)
        {
            _isBackgroundScheduled = false;
        }

        Drop(static _ => true, reason);
        _current?.Cancel(reason);
    }

    /// <summary>Ends the rewrite that is under way, and those that wait; <see cref="ISnapshotEnd"/> is told.</summary>
    public void CancelRewrite(string reason)
    {
        Drop(static request => request.Kind == SnapshotKind.Rewrite, reason);
        if (_current is { Request.Kind: SnapshotKind.Rewrite } run)
        {
            run.Cancel(reason);
        }
    }

    private void Drop(Func<SnapshotRequest, bool> which, string reason)
    {
        SnapshotRequest[] dropped;
        lock (_lock)
        {
            dropped = [.. _preparing.Concat(_waiting).Where(which)];
            _preparing.RemoveAll(request => which(request));
            SnapshotRequest[] left = [.. _waiting.Except(dropped)];
            _waiting.Clear();
            foreach (var request in left)
            {
                _waiting.Enqueue(request);
            }

            _isStartWanted &= left.Length > 0;
        }

        foreach (var request in dropped)
        {
            _postToFirst(() => request.End?.OnEnded(new SnapshotOutcome(reason, IsCancelled: true, 0, 0)));
        }
    }

    /// <summary>Whether one is wanted that was not begun yet. Any thread.</summary>
    public bool IsWaiting(SnapshotKind kind)
    {
        lock (_lock)
        {
            var isWaiting = _beginning?.Kind == kind;
            foreach (var request in _preparing) // Ticks ask: nothing is allocated.
            {
                isWaiting |= request.Kind == kind;
            }

            foreach (var request in _waiting)
            {
                isWaiting |= request.Kind == kind;
            }

            return isWaiting;
        }
    }

    private void OnEnded(Run run, SnapshotOutcome outcome)
    {
        var request = run.Request;
        var isBackground = request.Kind == SnapshotKind.Background;
        var wasFlushed = run.Walk.Failure is { Cleared: Storage.Changes.ShardChanges.AllDatabases };
        var isBegunAnew = outcome.IsCancelled && !run.IsCancelled
            && (!isBackground || !wasFlushed || Options.SavePoints.Count > 0);
        outcome = outcome with { IsCancelled = outcome.IsCancelled || run.IsCancelled };
        lock (_lock)
        {
            if (isBegunAnew)
            {
                _preparing.Add(request); // Before it is under way no more: who looks sees no gap.
            }

            _current = null;
        }

        if (isBegunAnew)
        {
            _server.Log.SnapshotBegunAnew();
        }
        else
        {
            _history.OnEnded(request.Kind, outcome, run.Writer.PeakBytes);
            request.End?.OnEnded(outcome);
        }

        lock (_lock)
        {
            _isStartWanted = _waiting.Count > 0;
        }

        if (isBegunAnew)
        {
            Prepare(request);
        }
    }

    private sealed class Run(SnapshotRequest request)
    {
        public SnapshotRequest Request { get; } = request;

        public SnapshotWriter Writer { get; set; } = null!;

        public SnapshotWalk Walk { get; set; } = null!;

        public bool IsWritten { get; set; }

        public volatile bool IsCancelled;

        public void Cancel(string reason)
        {
            IsCancelled = true;
            Walk.Fail(new SnapshotFailure(reason));
        }
    }

    /// <summary>The last one is saved again where something was changed behind its moment: by who was executing it
    /// then, or waited for a lease. With all leases held again, and no more begun meanwhile, that is seen.</summary>
    private sealed class LastEnd(Snapshots owner, ISnapshotEnd next, bool isForced) : ISnapshotEnd
    {
        private long _changes;
        private bool _isWhole;

        /// <summary>The moment; all leases are held.</summary>
        public void OnMoment() => _changes = owner._history.AllChanges;

        /// <inheritdoc/>
        public void OnEnded(SnapshotOutcome outcome)
        {
            if (outcome.Error == null && !_isWhole)
            {
                owner._final = WriteGate.Held;
                owner.Want(owner.ToLast(this, IsNeededAgain));
                return;
            }

            var isLast = outcome.Error == null || (isForced && !outcome.IsCancelled);
            owner.IsLastDone |= isLast;
            owner._final = isLast ? WriteGate.Ended : WriteGate.Open;
            next.OnEnded(outcome);
        }

        private bool IsNeededAgain()
        {
            _isWhole = owner._history.AllChanges == _changes;
            owner._final = _isWhole ? WriteGate.Ended : owner._final;
            return !_isWhole;
        }
    }
}
