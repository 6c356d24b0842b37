using Strata.Server.Journal.Files;
using Strata.Server.Persistence;
using Strata.Storage.Tiering;

namespace Strata.Server.Journal;

/// <summary>
/// The base that a rewrite makes, as RDB, as commands or as a checkpoint. When it is whole, the journal's thread lists
/// it in the place of what was there before its moment; where there is no journal at work, it is listed at once. Used
/// by the thread that writes the snapshot.
/// </summary>
internal sealed unsafe class JournalBaseFile : ISnapshotFile
{
    private const int LookMs = 20;

    private readonly JournalFiles _files;
    private readonly JournalBaseKind _kind;
    private readonly bool _syncsByAndBy;
    private readonly IJournalFile _file;
    private readonly JournalFileWriter? _commands;
    private long _length;
    private long _synced;
    private bool _isHandedOver;
    private bool _isListed;

    /// <summary>Begins the file.</summary>
    /// <param name="files">The journal's files.</param>
    /// <param name="kind">As what it is written.</param>
    /// <param name="syncsByAndBy">Whether it goes to the disk as it is written, rather than all of it at the end.
    /// </param>
    /// <exception cref="IOException">It cannot be made.</exception>
    public JournalBaseFile(JournalFiles files, JournalBaseKind kind, bool syncsByAndBy)
    {
        (_files, _kind, _syncsByAndBy) = (files, kind, syncsByAndBy);
        lock (files)
        {
            files.CreateBase(kind, out var file).ThrowAsIOException();
            _file = file!;
        }

        if (kind == JournalBaseKind.Commands)
        {
            var error = files.BeginBase(_file, out _commands);
            if (error.IsError)
            {
                lock (files)
                {
                    files.DropBase(_file);
                }

                error.ThrowAsIOException();
            }
        }
    }

    /// <summary>The journal's thread; null where there is no journal at work.</summary>
    public required JournalThread? Thread { get; init; }

    /// <summary>Gives the number of the first increment behind the moment, or says that there is none.</summary>
    public required Task<long>? Rotated { get; init; }

    /// <summary>Whether nobody wants it any more.</summary>
    public required Func<bool> IsGivenUp { get; init; }

    /// <summary>The tier, whose segments are held for the base; null where there is none.</summary>
    public required Tier? Tier { get; init; }

    /// <summary>The base's number there.</summary>
    public required long Number { get; init; }

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        if (Rotated is { IsFaulted: true } failed)
        {
            _ = failed.GetAwaiter().GetResult(); // What is written would be for nothing.
        }

        fixed (byte* start = bytes)
        {
            var error = _commands == null
                ? _file.Write(_length, start, bytes.Length, out _)
                : _commands.Write(start, bytes.Length, out _);
            error.ThrowAsIOException();
        }

        _length += bytes.Length;
        if (_syncsByAndBy && _length - _synced >= ServerLimits.SnapshotSyncBytes)
        {
            _file.Sync().ThrowAsIOException();
            _synced = _length;
        }
    }

    /// <inheritdoc/>
    public void WriteOver(long offset, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* start = bytes)
        {
            _file.Write(offset, start, bytes.Length, out _).ThrowAsIOException();
        }
    }

    /// <inheritdoc/>
    public void EndPart()
    {
        if (_commands != null)
        {
            _commands.EndBatch().ThrowAsIOException();
        }
    }

    /// <inheritdoc/>
    public void Commit()
    {
        (_commands?.Finish() ?? _file.Sync()).ThrowAsIOException();
        _commands?.Dispose();
        if (_kind == JournalBaseKind.Checkpoint)
        {
            Tier!.Persist();
        }

        if (Thread == null)
        {
            lock (_files)
            {
                List(_files.Manifest.IncrementSequence + 1).ThrowAsIOException();
            }
        }
        else
        {
            ListByThread(Thread, Await(Rotated!));
        }

        _isListed = true;
        Tier?.Checkpoints.OnListed(Number, _kind == JournalBaseKind.Checkpoint);
        lock (_files)
        {
            _ = _files.DeleteHistory(); // What stays is deleted with the next, or at the next start.
        }
    }

    /// <inheritdoc/>
    public void Discard()
    {
        lock (_files)
        {
            if (!_isHandedOver)
            {
                _files.DropBase(_file);
            }

            if (!_isListed && !_files.IsInDoubt)
            {
                Tier?.Checkpoints.OnGivenUp(Number); // Else it may be found, and what it names must be, too.
            }
        }
    }

    private JournalError List(long firstIncrement)
    {
        _isHandedOver = true;
        return _commands == null
            ? _files.EndRewrite(_file, firstIncrement)
            : _files.EndRewrite(firstIncrement);
    }

    private void ListByThread(JournalThread thread, long firstIncrement)
    {
        var done = new TaskCompletionSource<string?>();
        var newBase = new JournalBase(
            _commands == null ? _file : null, firstIncrement, problem => done.TrySetResult(problem));
        thread.Keeper.Listing.Give(newBase);
        thread.Wake();
        while (!done.Task.Wait(LookMs))
        {
            if ((IsGivenUp() || thread.HasEnded) && thread.Keeper.Listing.TryTakeBack(newBase))
            {
                throw GivenUp();
            }
        }

        if (done.Task.Result is { } text)
        {
            throw new IOException(text);
        }

        _isHandedOver = true;
    }

    private long Await(Task<long> rotated)
    {
        while (Task.WaitAny([rotated], LookMs) < 0)
        {
            if (IsGivenUp() || Thread!.HasEnded)
            {
                throw GivenUp();
            }
        }

        return rotated.GetAwaiter().GetResult();
    }

    private static IOException GivenUp() => new("the rewrite was given up");
}
