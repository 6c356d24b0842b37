using Strata.Server.Journal.Files;
using Strata.Server.Persistence;

namespace Strata.Server.Journal;

/// <summary>
/// The base that a rewrite makes, as RDB or as commands. When it is whole, the journal's thread lists it in the place
/// of what was there before its moment; where there is no journal at work, it is listed at once. Used by the thread
/// that writes the snapshot.
/// </summary>
internal sealed unsafe class JournalBaseFile : ISnapshotFile
{
    private const int LookMs = 20;

    private readonly JournalFiles _files;
    private readonly JournalThread? _thread;
    private readonly Task<long>? _rotated;
    private readonly Func<bool> _isGivenUp;
    private readonly bool _syncsByAndBy;
    private readonly IJournalFile _file;
    private readonly JournalFileWriter? _commands;
    private long _length;
    private long _synced;
    private bool _isHandedOver;

    /// <summary>Begins the file.</summary>
    /// <param name="files">The journal's files.</param>
    /// <param name="isRdb">Whether RDB is written, and not commands.</param>
    /// <param name="syncsByAndBy">Whether it goes to the disk as it is written, rather than all of it at the end.
    /// </param>
    /// <param name="thread">The journal's; null where there is no journal at work.</param>
    /// <param name="rotated">Gives the number of the first increment behind the moment.</param>
    /// <param name="isGivenUp">Whether nobody wants it any more.</param>
    /// <exception cref="IOException">It cannot be made.</exception>
    public JournalBaseFile(
        JournalFiles files,
        bool isRdb,
        bool syncsByAndBy,
        JournalThread? thread,
        Task<long>? rotated,
        Func<bool> isGivenUp)
    {
        (_files, _thread, _rotated, _isGivenUp, _syncsByAndBy) = (files, thread, rotated, isGivenUp, syncsByAndBy);
        lock (files)
        {
            Check(files.CreateBase(isRdb, out var file));
            _file = file!;
            if (isRdb)
            {
                return;
            }

            var error = files.BeginBase(_file, out _commands);
            if (error.IsError)
            {
                files.DropBase(_file);
                Check(error);
            }
        }
    }

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        fixed (byte* start = bytes)
        {
            Check(_commands == null
                ? _file.Write(_length, start, bytes.Length, out _)
                : _commands.Write(start, bytes.Length, out _));
        }

        _length += bytes.Length;
        if (_syncsByAndBy && _length - _synced >= ServerLimits.SnapshotSyncBytes)
        {
            Check(_file.Sync());
            _synced = _length;
        }
    }

    /// <inheritdoc/>
    public void WriteOver(long offset, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* start = bytes)
        {
            Check(_file.Write(offset, start, bytes.Length, out _));
        }
    }

    /// <inheritdoc/>
    public void EndPart()
    {
        if (_commands != null)
        {
            Check(_commands.EndBatch());
        }
    }

    /// <inheritdoc/>
    public void Commit()
    {
        Check(_commands?.Finish() ?? _file.Sync());
        _commands?.Dispose();
        if (_thread == null)
        {
            lock (_files)
            {
                Check(List(_files.Manifest.IncrementSequence + 1));
            }
        }
        else
        {
            ListByThread(_thread, Await(_rotated!));
        }

        lock (_files)
        {
            _ = _files.DeleteHistory(); // What stays is deleted with the next, or at the next start.
        }
    }

    /// <inheritdoc/>
    public void Discard()
    {
        if (!_isHandedOver)
        {
            lock (_files)
            {
                _files.DropBase(_file);
            }
        }
    }

    private static void Check(JournalError error)
    {
        if (error.IsError)
        {
            throw new IOException(error.Text);
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
        thread.Keeper.TakeBase(newBase);
        thread.Wake();
        while (!done.Task.Wait(LookMs))
        {
            if ((_isGivenUp() || thread.HasEnded) && thread.Keeper.TryTakeBack(newBase))
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
        while (!rotated.Wait(LookMs))
        {
            if (_isGivenUp() || _thread!.HasEnded)
            {
                throw GivenUp();
            }
        }

        return rotated.Result;
    }

    private static IOException GivenUp() => new("the rewrite was given up");
}
