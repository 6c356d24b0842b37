using Strata.Server.Options;
using Strata.Server.Persistence;
using Strata.Server.Runtime;

namespace Strata.Server.Journal;

/// <summary>
/// When the journal is rewritten, and what that has come to: on demand (BGREWRITEAOF), when it has grown, and as often
/// as it takes when it needs a base: to begin while the server runs, or since something that was told is kept by no
/// file. Begun under all leases, or scheduled behind what is under way; the first worker looks after it. Any thread may
/// read it.
/// </summary>
internal sealed class JournalRewrites : ISnapshotEnd
{
    private readonly ServerContext _context;
    private readonly Snapshots _snapshots;
    private readonly JournalService _service;
    private volatile bool _isScheduled;
    private long _beganMs = -1;
    private long _nextTryMs;
    private long _heldFromMs;

    /// <summary>None yet.</summary>
    public JournalRewrites(ServerContext context, Snapshots snapshots, JournalService service)
    {
        _context = context;
        _snapshots = snapshots;
        _service = service;
    }

    /// <summary>Called when one has ended, on the first worker: the journal may count from then on.</summary>
    public Action? Ended { get; set; }

    /// <summary>Whether one is under way, or is about to be.</summary>
    public bool IsUnderWay => _snapshots.UnderWayOrNext == SnapshotKind.Rewrite;

    /// <summary>The same, or the journal is about to begin, which it does with one, unless it could not.</summary>
    public bool IsUnderWayOrDue => IsUnderWay || (_service.IsToBegin && !HasFailed);

    /// <summary>Whether one is to follow what is under way.</summary>
    public bool IsScheduled => _isScheduled
        || (_snapshots.IsWaiting(SnapshotKind.Rewrite) && _snapshots.UnderWay is not (null or SnapshotKind.Rewrite));

    /// <summary>Rewrites that were begun.</summary>
    public long Count { get; private set; }

    /// <summary>Whether the last one has failed.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>How many have failed since one has not.</summary>
    public int Failures { get; private set; }

    /// <summary>How long the last one took, seconds; -1 where there was none.</summary>
    public long LastSeconds { get; private set; } = -1;

    /// <summary>How long the one under way takes by now, seconds; -1 where there is none.</summary>
    public long CurrentSeconds => _beganMs >= 0 && IsUnderWay ? Math.Max(0, (NowMs - _beganMs) / 1000) : -1;

    // Not the time of day, which may go back by much: then nothing would be tried for long.
    private long NowMs => (long)_context.Platform.Clock.GetElapsedTime(0).TotalMilliseconds;

    private ServerOptions Options => _context.Configuration.Current;

    /// <summary>Begins one, as soon as the file is made that the journal is to go on in. All leases are held, and no
    /// snapshot is under way.</summary>
    public void Begin()
    {
        if (_service.IsToBegin)
        {
            Schedule(); // What it needs is looked at before.
        }
        else
        {
            _snapshots.Want(NewRequest());
        }
    }

    /// <summary>One is to follow what is under way, however many have failed.</summary>
    public void Schedule()
    {
        _isScheduled = true;
        Failures = 0;
    }

    /// <summary>Begins what is due; on the first worker, some times a second.</summary>
    public void OnTick()
    {
        if (_snapshots.UnderWay == null && !_snapshots.IsStartWanted && !IsUnderWay && IsDue())
        {
            _snapshots.Want(NewRequest());
            _isScheduled = false;
        }
    }

    /// <inheritdoc/>
    public void OnEnded(SnapshotOutcome outcome)
    {
        var tookMs = Math.Max(0, NowMs - _beganMs);
        _beganMs = -1;
        _heldFromMs = NowMs + ServerLimits.HeldSegmentsSettleMs; // Shards give them up by and by.
        if (outcome.Error == null)
        {
            HasFailed = false;
            Failures = 0;
            _nextTryMs = 0;
            LastSeconds = tookMs / 1000;
            _context.Log.JournalRewritten(outcome.Keys, outcome.Bytes, tookMs);
        }
        else if (outcome.IsCancelled)
        {
            _context.Log.JournalRewriteCancelled(outcome.Error);
        }
        else
        {
            LastSeconds = tookMs / 1000;
            OnFailed();
            _context.Log.JournalRewriteFailed(outcome.Error);
        }

        Ended?.Invoke();
    }

    private bool IsDue()
    {
        if (_isScheduled && !_service.IsToBegin)
        {
            return true;
        }

        if (!_isScheduled && NowMs < _nextTryMs)
        {
            return false;
        }

        return _service.NeedsBase ? _service.IsOn || IsPrepared() : HasGrown() || HoldsTooMuch();
    }

    private bool IsPrepared()
    {
        try
        {
            return _service.TryPrepare();
        }
        catch (IOException exception)
        {
            OnFailed();
            _context.Log.JournalCannotBegin(exception.Message);
            return false;
        }
    }

    /// <summary>Whether so many segments of the tier are kept for the base alone that another one is worth it: when
    /// they take as much, beside those that hold data, as the journal may grow beside its base.</summary>
    private bool HoldsTooMuch()
    {
        if (_context.Shards.Tier is not { } tier || !_service.IsOn || Options.AutoRewritePercentage == 0
            || NowMs < _heldFromMs)
        {
            return false;
        }

        var held = tier.HeldBytes;
        var most = tier.UsedBytes / 100.0 * Options.AutoRewritePercentage;
        if (held <= Options.AutoRewriteMinBytes || held < most)
        {
            return false;
        }

        _context.Log.JournalHoldsSegments(held);
        return true;
    }

    private bool HasGrown()
    {
        var bytes = _service.SizeBytes;
        if (Options.AutoRewritePercentage == 0 || bytes <= Options.AutoRewriteMinBytes)
        {
            return false;
        }

        var grown = (long)(100.0 * bytes / Math.Max(1, _service.BaseBytes)) - 100;
        if (grown >= Options.AutoRewritePercentage)
        {
            _context.Log.JournalHasGrown(grown);
            return true;
        }

        return false;
    }

    private void OnFailed()
    {
        _isScheduled &= !_service.IsToBegin;
        var pauseMs = (long)ServerLimits.RewriteRetryMs << Math.Min(Failures, 16);
        _nextTryMs = NowMs + Math.Min(pauseMs, ServerLimits.MaxRewriteRetryMs);
        Failures++;
        HasFailed = true;
    }

    private SnapshotRequest NewRequest()
        => new JournalRewrite(
            _service, _context.Shards.Tier, Options, OnMoment, () => _snapshots.IsCancelled).ToRequest(this);

    private void OnMoment()
    {
        _service.BeginIfPrepared();
        if (_beganMs < 0)
        {
            _beganMs = NowMs;
            Count++;
            _context.Log.JournalRewriteBegun();
        }
    }
}
