using Strata.Server.Runtime;

namespace Strata.Server.Persistence;

/// <summary>What the server's snapshots have come to: what INFO and LASTSAVE tell. Written by who begins one and by the
/// first worker; any thread may read it.</summary>
internal sealed class SnapshotHistory
{
    private readonly ServerContext _server;
    private readonly TimeProvider _clock;
    private long _changesSaved;
    private long _changesAtBegin;
    private long _beganMs = -1;
    private SnapshotKind _kind;

    public SnapshotHistory(ServerContext server)
    {
        _server = server;
        _clock = server.Platform.Clock;
        LastSaveMs = NowMs;
    }

    /// <summary>When the data was last saved, or the server began; milliseconds since 1970.</summary>
    public long LastSaveMs { get; private set; }

    /// <summary>Whether the last background save has failed.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>How long the last background save took, seconds; -1 where there was none.</summary>
    public long LastSeconds { get; private set; } = -1;

    /// <summary>How long the background save takes by now, seconds; -1 where none is under way.</summary>
    public long CurrentSeconds
        => IsBackgroundUnderWay ? Math.Max(0, (NowMs - _beganMs) / 1000) : -1;

    /// <summary>Whether a background save is under way.</summary>
    public bool IsBackgroundUnderWay => _beganMs >= 0 && _kind == SnapshotKind.Background;

    /// <summary>Saves so far, also those that failed.</summary>
    public long Saves { get; private set; }

    /// <summary>The most memory that the last one took, bytes.</summary>
    public long LastPeakBytes { get; private set; }

    /// <summary>The most memory that the last rewrite of the append-only file took, bytes.</summary>
    public long LastRewritePeakBytes { get; private set; }

    /// <summary>Changes of keys since the data was saved.</summary>
    public long Changes => Math.Max(0, AllChanges - _changesSaved);

    private long NowMs => _clock.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Changes of keys that somebody asked for, since the start.</summary>
    public long AllChanges
    {
        get
        {
            var changes = 0L;
            foreach (var shard in _server.Shards.All)
            {
                changes += shard.Changes.Count;
            }

            return changes;
        }
    }

    /// <summary>What there is by now is in the file: it was loaded from there.</summary>
    public void OnLoaded() => _changesSaved = AllChanges;

    /// <summary>One begins; all leases are held.</summary>
    public void OnBegun(SnapshotKind kind, long nowMs)
    {
        _kind = kind;
        _beganMs = nowMs;
        _changesAtBegin = AllChanges;
        if (kind != SnapshotKind.Rewrite)
        {
            Saves++;
            _server.Log.SnapshotBegun();
        }
    }

    /// <summary>It has ended.</summary>
    public void OnEnded(SnapshotKind kind, SnapshotOutcome outcome, long peakBytes)
    {
        var tookMs = Math.Max(0, NowMs - _beganMs);
        _beganMs = -1;
        if (kind == SnapshotKind.Rewrite)
        {
            LastRewritePeakBytes = peakBytes;
            return;
        }

        LastPeakBytes = peakBytes;
        if (outcome.Error == null)
        {
            _changesSaved = _changesAtBegin;
            LastSaveMs = NowMs;
            _server.Log.SnapshotSaved(outcome.Keys, outcome.Bytes, tookMs);
        }
        else if (outcome.IsCancelled)
        {
            _server.Log.SnapshotCancelled(outcome.Error);
        }
        else
        {
            _server.Log.SnapshotFailed(outcome.Error);
        }

        // As in Redis: who asked for one and waits for it is told, and nobody else.
        HasFailed = outcome.Error != null && (HasFailed || (kind == SnapshotKind.Background && !outcome.IsCancelled));
        if (kind == SnapshotKind.Background)
        {
            LastSeconds = tookMs / 1000;
        }
    }
}
