using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Runtime;
using Strata.Storage;

namespace Strata.Server.Journal;

/// <summary>
/// Writes what the journal is told to its files, brings it to the disk and goes on with a new file where a rewrite
/// begins. What cannot be written it keeps and tries again, as long as it takes; meanwhile changes are refused. It is
/// called again and again by one thread (<see cref="JournalThread"/>, or a test).
/// </summary>
internal sealed unsafe class JournalKeeper : IJournalOutput, IDisposable
{
    private const string NoMemory = "there was no memory for a change on its way to the journal";

    private readonly EffectJournal _journal;
    private readonly Durability _durability;
    private readonly JournalFiles _files;
    private readonly ServerLog _log;
    private readonly TimeProvider _clock;
    private readonly Func<ServerOptions> _options;
    private readonly Func<bool> _await;
    private readonly Func<bool> _isSnapshotUnderWay;
    private readonly JournalStream _stream;
    private readonly EffectMerge _merge;
    private readonly long _startOffset;
    private JournalFileWriter? _writer;
    private JournalRotation? _rotation;
    private JournalBase? _newBase;
    private long _otherBytes;
    private long _syncedTimestamp;
    private long _stampedSecond;
    private bool _isUnsynced;

    // A sync has failed: what the system says of the file's bytes is not to be trusted any more, and what is told is
    // kept by the base that is to come alone.
    private bool _isLost;

    // The file is no part of the journal yet: it follows a base that is still to come.
    private bool _isUnlisted;

    // Why what is told is written no more, as the server ends, or the journal does.
    private string? _abandoned;

    // What is behind the moment of the rotation that is to come may be missing a change, too.
    private bool _isLostAfterRotation;

    // Changes are refused until there is a new base.
    private bool _isBaseAwaited;

    /// <summary>Goes on in a file, or with the one that the first rotation begins.</summary>
    /// <param name="journal">What it is told.</param>
    /// <param name="durability">Where it says how far it has come.</param>
    /// <param name="files">The files, which others may use, too: who has locked them.</param>
    /// <param name="writer">The file, which is listed; null where the first is to be made (<see cref="RotateBehind"/>),
    /// and is listed with its base.</param>
    /// <param name="startOffset">The journal's offset where the first is to be made.</param>
    /// <param name="sizeBytes">Bytes of all files.</param>
    /// <param name="log">Where it says what failed.</param>
    /// <param name="clock">Tells when a second is over.</param>
    /// <param name="options">Gives the configuration in force.</param>
    /// <param name="isSnapshotUnderWay">Whether data is being saved, or the files rewritten.</param>
    /// <param name="await">Lets some time pass before something is tried again; false when the server ends.</param>
    public JournalKeeper(
        EffectJournal journal,
        Durability durability,
        JournalFiles files,
        JournalFileWriter? writer,
        long startOffset,
        long sizeBytes,
        ServerLog log,
        TimeProvider clock,
        Func<ServerOptions> options,
        Func<bool> isSnapshotUnderWay,
        Func<bool> await)
    {
        (_journal, _durability, _files, _writer) = (journal, durability, files, writer);
        (_log, _clock, _options, _await) = (log, clock, options, await);
        _isSnapshotUnderWay = isSnapshotUnderWay;
        _startOffset = startOffset;
        _isUnlisted = writer == null;
        _otherBytes = sizeBytes - (writer?.SizeBytes ?? 0);
        SizeBytes = BaseBytes = sizeBytes;
        _stream = new JournalStream(this);
        _merge = new EffectMerge(journal);
        _syncedTimestamp = clock.GetTimestamp();
    }

    /// <summary>Whether changes are refused until there is a new base. Any thread.</summary>
    public bool IsBaseAwaited => Volatile.Read(ref _isBaseAwaited);

    /// <summary>Bytes of all files; any thread.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>The same when the last base was listed, or at the start; any thread.</summary>
    public long BaseBytes { get; private set; }

    /// <summary>The journal's offset at the end.</summary>
    public long Offset => _writer?.Offset ?? _startOffset;

    /// <summary>Whether what was told is no part of the journal until a base is there. Any thread.</summary>
    public bool IsUnlisted => Volatile.Read(ref _isUnlisted);

    /// <summary>Takes what was told, writes it, and brings it to the disk if that is due.</summary>
    /// <returns>Whether there was something.</returns>
    public bool Turn()
    {
        var isBaseRequired = _journal.TakeBaseRequired();
        var rotation = Volatile.Read(ref _rotation);
        if (isBaseRequired)
        {
            // Where a moment is over already, nobody knows whether its base has the change.
            _isLostAfterRotation = rotation != null;
            Lose(NoMemory);
        }

        _merge.Take(_stream, rotation?.Behind ?? long.MaxValue, ServerLimits.JournalBatchBytes);
        var isAny = _stream.BatchBytes > 0;
        if (isAny)
        {
            _stream.EndBatch();
            _isUnsynced = true;
            _durability.Written = _merge.Taken;
            SizeBytes = _otherBytes + (_writer?.SizeBytes ?? 0);
        }
        else
        {
            _journal.Memory.Trim();
        }

        if (_isUnsynced && !_isLost && IsSyncDue())
        {
            Sync();
        }

        if (rotation != null && _merge.Taken == rotation.Behind)
        {
            if (!TryRotate(rotation))
            {
                Volatile.Write(ref _rotation, null);
            }

            return true;
        }

        if (Interlocked.Exchange(ref _newBase, null) is { } newBase)
        {
            Rebase(newBase);
        }

        return isAny;
    }

    /// <summary>Writes and syncs all that was told by now.</summary>
    /// <exception cref="JournalAbandonedException">Something cannot be written.</exception>
    public void Finish()
    {
        while (Turn())
        {
            // One batch more.
        }

        if (_abandoned == null && (_isLost || _isBaseAwaited))
        {
            throw new JournalAbandonedException("a sync has failed, and there is no new base");
        }

        if (!_isLost && _writer != null && TryPersist(static writer => writer.Finish()))
        {
            OnSynced();
        }

        if (_abandoned != null)
        {
            throw new JournalAbandonedException(_abandoned);
        }
    }

    /// <summary>From the batch behind another on effects go to a file of their own. Any thread; all leases are held.
    /// </summary>
    public void RotateBehind(JournalRotation rotation) => Volatile.Write(ref _rotation, rotation);

    /// <summary>A base was written that a rotation began. Any thread.</summary>
    public void TakeBase(JournalBase newBase) => Volatile.Write(ref _newBase, newBase);

    /// <summary>Takes a base back that is not wanted any more. Any thread.</summary>
    /// <returns>False when it is late: it is told what became of it.</returns>
    public bool TryTakeBack(JournalBase newBase)
        => Interlocked.CompareExchange(ref _newBase, null, newBase) == newBase;

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
                EndProblem();
                return;
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
        _stream.Dispose();
        _writer?.Dispose();
    }

    private bool IsSyncDue()
    {
        var options = _options();
        if (options.NoAppendfsyncOnRewrite && _isSnapshotUnderWay() && _durability.Durable >= _durability.LastAwaited)
        {
            return false;
        }

        return options.AppendFsync switch
        {
            SyncPolicy.Always => true,
            SyncPolicy.EverySec => _clock.GetElapsedTime(_syncedTimestamp) >= ServerLimits.JournalSyncPeriod,
            _ => false,
        };
    }

    private void Sync()
    {
        _syncedTimestamp = _clock.GetTimestamp();
        var error = _writer!.Sync();
        if (!error.IsError)
        {
            EndProblem();
            OnSynced();
        }
        else
        {
            Lose(error.Text);
        }
    }

    /// <summary>What was told is kept by a new base alone: until there is one, changes are refused.</summary>
    private void Lose(string reason)
    {
        _isLost = true;
        _isBaseAwaited = true;
        Report(reason);
    }

    private void OnSynced()
    {
        _isUnsynced = false;
        if (!_isUnlisted)
        {
            _durability.Durable = _durability.Written;
            _journal.OnDurable();
        }
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

    /// <summary>Ends the file, and begins the one that a rewrite keeps.</summary>
    /// <returns>False when that was given up.</returns>
    private bool TryRotate(JournalRotation rotation)
    {
        JournalFileWriter? next;
        while (true)
        {
            var error = BeginNext(out next);
            if (!error.IsError)
            {
                break;
            }

            if (!_isLost && _writer is { IsLost: true })
            {
                Lose(error.Text); // Its end was not to be synced; another may be begun nevertheless.
            }
            else if (!TryAwait(error))
            {
                return false;
            }
        }

        _otherBytes += _writer?.SizeBytes ?? 0;
        _isUnlisted |= _isLost;
        _isLost = false;
        _writer?.Dispose();
        _writer = next!;
        _stream.BeginFile();
        if (_isUnlisted)
        {
            lock (_files)
            {
                _files.DropIncrements(before: _writer.Sequence); // Their base will not come.
            }
        }
        else
        {
            OnSynced();
        }

        EndProblem();
        if (_isLostAfterRotation)
        {
            _isLostAfterRotation = false;
            Lose(NoMemory);
        }

        // Another may have been asked for meanwhile.
        _ = Interlocked.CompareExchange(ref _rotation, null, rotation);
        rotation.OnDone(_writer.Sequence);
        return true;
    }

    private JournalError BeginNext(out JournalFileWriter? next)
    {
        lock (_files)
        {
            return _isLost || _isUnlisted
                ? _files.CreateIncrement(Offset, out next)
                : _files.BeginIncrement(_writer, Offset, out next);
        }
    }

    /// <summary>Lists a new base, and the files behind it.</summary>
    private void Rebase(JournalBase newBase)
    {
        var problem = _isLost ? "a sync of the file behind the new base has failed" : List(newBase);
        if (problem == null)
        {
            _isUnlisted = false;
            _isBaseAwaited = false;
            EndProblem();
            OnSynced();
        }

        newBase.OnDone(problem);
    }

    /// <summary>Does so; all that was written is on the disk then.</summary>
    /// <returns>What has failed, or null.</returns>
    private string? List(JournalBase newBase)
    {
        Invariant.Check(_writer!.Sequence == newBase.FirstIncrement, "a base is followed by the file that is written");
        var error = _writer.Sync();
        if (error.IsError)
        {
            Lose(error.Text);
            return error.Text;
        }

        lock (_files)
        {
            error = newBase.File == null
                ? _files.EndRewrite(newBase.FirstIncrement)
                : _files.EndRewrite(newBase.File, newBase.FirstIncrement);
            if (error.IsError)
            {
                return error.Text;
            }

            if (!_files.Measure(out var bytes, out _).IsError)
            {
                SizeBytes = BaseBytes = bytes;
                _otherBytes = bytes - _writer.SizeBytes;
            }

            return null;
        }
    }

    /// <summary>Does something until it succeeds.</summary>
    /// <returns>False when it was given up.</returns>
    private bool TryPersist(Func<JournalFileWriter, JournalError> work)
    {
        while (true)
        {
            var error = work(_writer!);
            if (!error.IsError)
            {
                EndProblem();
                return true;
            }

            if (!TryAwait(error))
            {
                return false;
            }
        }
    }

    /// <summary>Lets some time pass after something has failed.</summary>
    /// <returns>False when it is to be given up, as the server ends: what follows is taken, and not written.</returns>
    private bool TryAwait(in JournalError error)
    {
        Report(error.Text);
        if (_await())
        {
            return true;
        }

        _abandoned ??= error.Text;
        _isLost = true;
        return false;
    }

    private void Report(string reason)
    {
        if (_journal.Problem == null)
        {
            _log.JournalCannotBeWritten(reason);
        }

        _journal.Problem = new JournalProblem(reason);
    }

    private void EndProblem()
    {
        if (_journal.Problem != null && !_isBaseAwaited)
        {
            _journal.Problem = null;
            _log.JournalIsWrittenAgain();
        }
    }
}
