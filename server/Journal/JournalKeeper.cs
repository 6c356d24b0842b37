using Strata.Server.Journal.Files;
using Strata.Server.Options;
using Strata.Server.Runtime;

namespace Strata.Server.Journal;

/// <summary>
/// Writes what the journal is told to its files, brings it to the disk and goes on with a new file where a rewrite
/// begins. What cannot be written it keeps and tries again, as long as it takes; meanwhile changes are refused. It is
/// called again and again by one thread (<see cref="JournalThread"/>, or a test), which does not wait for the disk but
/// where somebody waits for each batch, or nothing that is written counts: what a process has written is safe from its
/// end, and what it has not is not.
/// </summary>
internal sealed unsafe class JournalKeeper : IJournalOutput, IDisposable
{
    private const string NoMemory = "there was no memory for a change on its way to the journal";
    private const long NothingSynced = -1;

    private readonly EffectJournal _journal;
    private readonly Durability _durability;
    private readonly JournalFiles _files;
    private readonly TimeProvider _clock;
    private readonly Func<ServerOptions> _options;
    private readonly SyncSchedule _syncs;
    private readonly GroupCommit _group;
    private readonly JournalProgress _progress;
    private readonly JournalStream _stream;
    private readonly EffectMerge _merge;
    private readonly JournalBackground _background;
    private readonly JournalListing _listing;
    private readonly JournalTrouble _trouble;
    private readonly Action<long> _onListed;
    private readonly long _startOffset;
    private JournalFileWriter? _writer;
    private JournalRotation? _rotation;

    // The file before the one that is written, and the moment between them, until the disk has all of it.
    private (JournalFileWriter Writer, JournalRotation Rotation)? _ended;
    private long _otherBytes;

    // The last batch that the disk has, in whatever file.
    private long _synced;
    private long _stampedSecond;
    private bool _isUnsynced;

    // A sync has failed: what the system says of the file's bytes is not to be trusted any more, and what is told is
    // kept by the base that is to come alone.
    private bool _isLost;

    // What is behind the moment of the rotation that is to come may be missing a change, too.
    private bool _isLostAfterRotation;

    /// <summary>Goes on in a file, or with the one that the first rotation begins.</summary>
    /// <param name="context">What it has to do with.</param>
    /// <param name="writer">The file, which is listed; null where the first is to be made (<see cref="RotateBehind"/>),
    /// and is listed with its base.</param>
    /// <param name="startOffset">The journal's offset where the first is to be made.</param>
    /// <param name="sizeBytes">Bytes of all files.</param>
    public JournalKeeper(JournalContext context, JournalFileWriter? writer, long startOffset, long sizeBytes)
    {
        (_journal, _durability, _files, _writer) = (context.Journal, context.Durability, context.Files, writer);
        (_clock, _options) = (context.Clock, context.Options);
        _startOffset = startOffset;
        _otherBytes = sizeBytes - (writer?.SizeBytes ?? 0);
        SizeBytes = BaseBytes = sizeBytes;
        _stream = new JournalStream(this);
        _merge = new EffectMerge(_journal);
        _syncs = new SyncSchedule(_clock, _options, context.IsSnapshotUnderWay);
        _group = new GroupCommit(_clock);
        _progress = new JournalProgress(_journal, _durability, _syncs) { IsUnlisted = writer == null };
        _background = new JournalBackground(context.Work, _clock, context.SyncLatency);
        _listing = new JournalListing(_files, _background);
        _trouble = new JournalTrouble(_journal, context.Log, context.Await);
        _onListed = OnListed;
    }

    /// <summary>Whether changes are refused until there is a new base. Any thread.</summary>
    public bool IsBaseAwaited => _trouble.IsBaseAwaited;

    /// <summary>Bytes of all files; any thread.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>The same when the last base was listed, or at the start; any thread.</summary>
    public long BaseBytes { get; private set; }

    /// <summary>What waits for the disk.</summary>
    public JournalBackground Background => _background;

    /// <summary>The journal's offset at the end.</summary>
    public long Offset => _writer?.Offset ?? _startOffset;

    /// <summary>Whether what was told is no part of the journal until a base is there. Any thread.</summary>
    public bool IsUnlisted => _progress.IsUnlisted;

    /// <summary>Whether the next turn is to come when more was told (<see cref="GroupCommit"/>).</summary>
    public bool WaitsForMore => _group.Waits(_journal.LastSequence);

    /// <summary>Takes what was told, writes it, and brings it to the disk if that is due.</summary>
    /// <returns>Whether there was something.</returns>
    public bool Turn()
    {
        var isAny = _background.TryEnd();
        var isBaseRequired = _journal.TakeBaseRequired();

        // In this order: where there is no moment yet, one that comes from here on lies behind the last batch.
        var last = _journal.LastSequence;
        var rotation = Volatile.Read(ref _rotation);
        if (isBaseRequired)
        {
            // Where a moment is over already, nobody knows whether its base has the change.
            _isLostAfterRotation = rotation != null;
            Lose(NoMemory);
        }

        _merge.Take(_stream, rotation?.Behind ?? last, ServerLimits.JournalBatchBytes);
        if (_stream.BatchBytes > 0)
        {
            isAny = true;
            _stream.EndBatch();
            _isUnsynced = true;
            _durability.Written = _merge.Taken;
            SizeBytes = _otherBytes + (_writer?.SizeBytes ?? 0);
        }
        else
        {
            _journal.Memory.Trim();
            if (!_isUnsynced && !_isLost && _syncs.IsPeriodOver && !_background.IsBusy)
            {
                _ = _writer?.Mark(); // Nothing follows that would say how far the disk has come.
            }
        }

        _progress.TellWritten(_isLost);
        GoOnEnding();
        if (_listing.TryTake(_durability.Written))
        {
            isAny = true;
            _isUnsynced |= _synced < _durability.Written;
        }

        if (_isUnsynced && !_isLost && (_syncs.IsDue || _listing.NeedsSync(_synced)))
        {
            Sync();
        }

        if (rotation != null && _merge.Taken == rotation.Behind)
        {
            Rotate(rotation);

            // Another may have been asked for meanwhile.
            _ = Interlocked.CompareExchange(ref _rotation, null, rotation);
            return true;
        }

        return GoOnListing() || isAny;
    }

    /// <summary>Writes and syncs all that was told by now.</summary>
    /// <exception cref="JournalAbandonedException">Something cannot be written.</exception>
    public void Finish()
    {
        while (Turn() || _background.TryAwait())
        {
            // One batch more, or what the disk was waited for.
        }

        if (_trouble.Abandoned == null && (_isLost || _trouble.IsBaseAwaited))
        {
            throw new JournalAbandonedException("a sync has failed, and there is no new base");
        }

        if (!_isLost && _writer != null && TryPersist(static writer => writer.Finish()))
        {
            _synced = _durability.Written;
            _progress.TellSynced(_synced);
        }

        if (_trouble.Abandoned != null)
        {
            throw new JournalAbandonedException(_trouble.Abandoned);
        }
    }

    /// <summary>From the batch behind another on effects go to a file of their own. Any thread; all leases are held.
    /// </summary>
    public void RotateBehind(JournalRotation rotation) => Volatile.Write(ref _rotation, rotation);

    /// <summary>The base that a rotation began, on its way.</summary>
    public JournalListing Listing => _listing;

    /// <inheritdoc/>
    public void Write(byte* bytes, long length)
    {
        if (_isLost)
        {
            return;
        }

        if (_writer!.BatchBytes == 0 && _options().TimestampEnabled)
        {
            Stamp();
        }

        while (true)
        {
            var error = _writer.Write(bytes, length, out var written);
            if (!error.IsError)
            {
                return; // The end of the batch tells whether all of it was written.
            }

            bytes += written;
            length -= written;
            if (!TryAwait(error))
            {
                return;
            }
        }
    }

    /// <inheritdoc/>
    public void EndBatch()
    {
        if (!_isLost)
        {
            var isAwaited = _options().AppendFsync == SyncPolicy.Always;
            _writer!.FillAheadBytes = isAwaited ? ServerLimits.JournalFillerBytes : 0;
            _ = TryPersist(static writer => writer.EndBatch());
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _background.Dispose();
        _stream.Dispose();
        _writer?.Dispose();
    }

    /// <summary>Brings what was written to the disk, or has that begun. Where each batch is waited for, this thread
    /// does it: what it would write meanwhile nobody would be told of sooner.</summary>
    private void Sync()
    {
        var isAwaited = _syncs.IsAwaited;
        if (_ended != null || (isAwaited ? _background.IsSyncing : _background.IsBusy))
        {
            if (_syncs.IsPeriodOver)
            {
                _syncs.Begin();
                _background.CountDelay();
            }

            return;
        }

        _syncs.Begin();
        _isUnsynced = false;
        var (writer, last) = (_writer!, _durability.Written);
        if (isAwaited)
        {
            _group.Begin();
            OnSynced(writer, last, _background.Time(writer.Sync));
            _group.End(last, _journal.LastSequence);
            return;
        }

        var sealedOffset = writer.SealedOffset;
        _background.Begin(() => _background.Time(writer.SyncFile), syncs: true, error =>
        {
            writer.OnFileSynced(sealedOffset, error);
            OnSynced(writer, last, error);
        });
    }

    private void OnSynced(JournalFileWriter writer, long last, in JournalError error)
    {
        if (!error.IsError && !_isLost)
        {
            _trouble.End();
            _synced = last;
            _progress.TellSynced(_synced);
        }
        else if (error.IsError && writer == _writer)
        {
            Lose(error.Text); // Else it is found when that file is to be ended.
        }
    }

    /// <summary>What was told is kept by a new base alone: until there is one, changes are refused.</summary>
    private void Lose(string reason)
    {
        _isLost = true;
        _trouble.IsBaseAwaited = true;
        _trouble.Report(reason);
    }

    private void Stamp()
    {
        var second = _clock.GetUtcNow().ToUnixTimeSeconds();
        if (second != _stampedSecond)
        {
            _ = TryPersist(writer => writer.Stamp(second));
            _stampedSecond = second;
        }
    }

    /// <summary>Goes on in the file that a rewrite keeps, unless that cannot be.</summary>
    private void Rotate(JournalRotation rotation)
    {
        while (_ended != null && _background.TryAwait())
        {
            _ = _background.TryEnd(); // Another moment has come soon.
            GoOnEnding();
        }

        if (_isLost || _progress.IsUnlisted ? TryBeginAnew(rotation) : TrySwitch(rotation))
        {
            _stream.BeginFile();
            _isUnsynced = false;
            _trouble.End();
            if (_isLostAfterRotation)
            {
                _isLostAfterRotation = false;
                Lose(NoMemory);
            }
        }
    }

    /// <summary>Begins a file that is listed with its base: what is before it counts for nothing.</summary>
    private bool TryBeginAnew(JournalRotation rotation)
    {
        if (_background.TryAwait())
        {
            _ = _background.TryEnd();
        }

        JournalFileWriter? next = null;
        var isMade = TryPersist(_ =>
        {
            lock (_files)
            {
                return _files.CreateIncrement(Offset, rotation.Next, out next);
            }
        });
        if (!isMade)
        {
            return false;
        }

        _otherBytes += _writer?.SizeBytes ?? 0;
        _progress.IsUnlisted = true;
        _isLost = false;
        _writer?.Dispose();
        _writer = next!;
        _synced = _durability.Written;
        lock (_files)
        {
            _files.DropIncrements(before: _writer.Sequence); // Their base will not come.
        }

        rotation.Done.SetResult(_writer.Sequence);
        return true;
    }

    /// <summary>Goes on in the file that was made ahead, and has the disk get all of this one.</summary>
    /// <returns>False when there is no such file: all is as before, and the rewrite has failed.</returns>
    private bool TrySwitch(JournalRotation rotation)
    {
        var next = rotation.Next;
        while (Switch(ref next) is { IsError: true } error)
        {
            if (!_files.IsInDoubt)
            {
                rotation.Done.SetException(new IOException(error.Text)); // What is written is as good as before.
                return false;
            }

            if (!TryAwait(error))
            {
                return false;
            }
        }

        _ended = (_writer!, rotation);
        _otherBytes += _writer!.SizeBytes;
        var (offset, syncedOffset) = (_writer.Offset, _writer.SyncedOffset);
        _writer = next!.Writer;
        _ = _writer.Follow(offset, syncedOffset); // What the disk refuses is written with what follows.
        return true;
    }

    private JournalError Switch(ref NextIncrement? next)
    {
        lock (_files)
        {
            return _files.Switch(ref next);
        }
    }

    /// <summary>Has the disk get all of the file before the one that is written.</summary>
    private void GoOnEnding()
    {
        if (_ended is not var (ended, rotation) || _background.IsBusy)
        {
            return;
        }

        var next = _writer!;
        _background.Begin(
            () =>
            {
                var error = ended.End();
                error = error.IsError ? error : next.SyncFile();
                lock (_files)
                {
                    return error.IsError ? error : _files.EndSwitch();
                }
            },
            syncs: true,
            error => OnEnded(ended, rotation, error));
    }

    private void OnEnded(JournalFileWriter ended, JournalRotation rotation, in JournalError error)
    {
        _ended = null;
        if (!error.IsError)
        {
            _trouble.End();
            _ = _writer!.OnFollowedSynced(ended.Offset); // What the disk refuses is written with what follows.
            _synced = rotation.Behind;
            _progress.TellSynced(_synced);
        }
        else if (ended.IsLost)
        {
            // What is behind the moment is kept, and needs the base that is to come, before which it is synced.
            (_synced, _isUnsynced) = (NothingSynced, true);
            _progress.IsUnlisted = true;
            _trouble.IsBaseAwaited = true;
            _trouble.Report(error.Text);
        }
        else
        {
            Lose(error.Text);
        }

        ended.Dispose();
        rotation.Done.SetResult(_writer!.Sequence);
    }

    /// <summary>Has a new base be listed, and the file behind it.</summary>
    /// <returns>Whether there was something to do at once.</returns>
    private bool GoOnListing()
    {
        if (_isLost)
        {
            return _listing.TryGiveUp("a sync of the file behind the new base has failed");
        }

        _listing.GoOn(_synced, _onListed);
        return false;
    }

    private void OnListed(long baseBytes)
    {
        _progress.IsUnlisted = false;
        _ = _writer!.OnFollowedSynced(0); // What the disk refuses is written with what follows.
        _otherBytes = baseBytes;
        SizeBytes = BaseBytes = baseBytes + _writer!.SizeBytes;
        _progress.TellSynced(_synced);
        if (!_isLost)
        {
            _trouble.IsBaseAwaited = false;
            _trouble.End();
        }
    }

    /// <summary>Does something with the file, or with all of them, until it succeeds.</summary>
    /// <returns>False when it was given up.</returns>
    private bool TryPersist(Func<JournalFileWriter, JournalError> work)
    {
        JournalError error;
        while ((error = work(_writer!)).IsError)
        {
            if (!TryAwait(error))
            {
                return false;
            }
        }

        _trouble.End();
        return true;
    }

    private bool TryAwait(in JournalError error)
    {
        var goesOn = _trouble.TryAwait(error);
        _isLost |= !goesOn;
        return goesOn;
    }
}
