using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Persistence;
using Strata.Storage.Memory;

namespace Strata.Server.Journal;

/// <summary>
/// Repeats what stands in the journal's files: hands the commands, once their checksums are right, to a client in the
/// process, for whom nothing expires and no memory is refused. An RDB that the base begins with was loaded before. For
/// the time of the start.
/// </summary>
internal sealed class JournalLoader : IDisposable
{
    private readonly JournalFiles _files;
    private readonly LoadingState _loading;
    private readonly ServerLog _log;
    private readonly TimeProvider _clock;
    private readonly JournalFileReader _reader;
    private readonly ReplyErrors _replies;
    private readonly byte[] _lastCommand;
    private readonly byte[] _lastReply;
    private readonly TaskCompletionSource<bool> _isDone = new();
    private Func<bool> _isGivenUp = static () => false;
    private long _filesBefore;
    private long _toldTimestamp;

    /// <summary>A loader of files whose manifest was read.</summary>
    /// <param name="files">The files.</param>
    /// <param name="budget">What its buffer is charged to.</param>
    /// <param name="loading">Where it tells how far it is.</param>
    /// <param name="log">Where it says what it has found, and at times how far it is.</param>
    /// <param name="clock">Tells when.</param>
    public JournalLoader(
        JournalFiles files, MemoryBudget budget, LoadingState loading, ServerLog log, TimeProvider clock)
    {
        _files = files;
        _loading = loading;
        _log = log;
        _clock = clock;
        _reader = new JournalFileReader(budget);
        _toldTimestamp = clock.GetTimestamp();
        var word = string.Create(CultureInfo.InvariantCulture, $"all was repeated by {_toldTimestamp:x16}");
        _lastCommand = Encoding.ASCII.GetBytes($"*2\r\n$4\r\nECHO\r\n${word.Length}\r\n{word}\r\n");
        _lastReply = Encoding.ASCII.GetBytes($"{word}\r\n");
        _replies = new ReplyErrors(_lastReply.Length);
    }

    /// <summary>Looks whether a file begins with an RDB, or is a checkpoint.</summary>
    /// <returns>Where it lies if it does; else null.</returns>
    /// <exception cref="JournalException">It cannot be read.</exception>
    public static string? PathToLoad(JournalFiles files, ManifestPart part)
    {
        files.Open(part.Name, out var file).ThrowIfError();
        using (file)
        {
            return JournalFileReader.IsRdb(file!) || JournalFileReader.IsCheckpoint(file!) ? file!.Path : null;
        }
    }

    /// <summary>Whether one of the files may end torn: the last, or an increment whose next was begun before the disk
    /// had all of it.</summary>
    /// <exception cref="JournalException">The next cannot be read.</exception>
    public static bool MayEndTorn(JournalFiles files, IReadOnlyList<ManifestPart> parts, int index)
    {
        if (index == parts.Count - 1 || parts[index].Kind == ManifestPartKind.Base)
        {
            return index == parts.Count - 1;
        }

        files.Open(parts[index + 1].Name, out var next).ThrowIfError();
        using (next)
        {
            return JournalFileReader.IsBegunAhead(next!);
        }
    }

    /// <summary>Repeats all of the base, behind the RDB that it may begin with, and of the increments.</summary>
    /// <param name="client">The client's end of its connection, which is closed at the end.</param>
    /// <param name="loadsTruncated">Whether a torn end is cut.</param>
    /// <param name="rdbBytes">Bytes of the RDB that the base begins with; 0 for none.</param>
    /// <param name="isGivenUp">Whether the server is to stop.</param>
    /// <param name="end">How the last file ends.</param>
    /// <returns>False when it was given up.</returns>
    /// <exception cref="JournalException">A file is damaged, or has commands that this server does not
    /// know.</exception>
    public bool TryLoad(
        IDuplexPipe client, bool loadsTruncated, long rdbBytes, Func<bool> isGivenUp, out JournalEnd end)
    {
        var replies = Task.Run(() => ReadRepliesAsync(client.Input));
        _isGivenUp = isGivenUp;
        bool isDone;
        try
        {
            isDone = TryLoadAll(client.Output, loadsTruncated, rdbBytes, out end) && TryAwaitEnd(client.Output);
        }
        finally
        {
            client.Output.Complete();
            Await(replies, client.Input.CancelPendingRead);
        }

        if (!isDone)
        {
            return false;
        }

        var last = _files.Manifest.Increments.Count > 0 ? _files.Manifest.Increments[^1].Name : "";
        ThrowIfFatal(last, end.SizeBytes);
        if (_replies.Count > 0)
        {
            _log.JournalCommandsFailed(_replies.Count, _replies.First ?? "");
        }

        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => _reader.Dispose();

    private bool TryLoadAll(PipeWriter output, bool loadsTruncated, long rdbBytes, out JournalEnd end)
    {
        List<ManifestPart> parts = [.. _files.Manifest.Live];
        end = default;
        var expectedOffset = -1L;
        for (var i = 0; i < parts.Count; i++)
        {
            var isBase = parts[i].Kind == ManifestPartKind.Base;
            var options = new JournalReadOptions(
                MayEndTorn(_files, parts, i), isBase, loadsTruncated, isBase ? rdbBytes : 0, expectedOffset);
            if (!TryLoadFile(parts[i], options, output, out end))
            {
                return false;
            }

            _filesBefore += end.SizeBytes;
            expectedOffset = isBase ? -1 : end.Offset;
        }

        return true;
    }

    private bool TryLoadFile(
        ManifestPart part, in JournalReadOptions options, PipeWriter output, out JournalEnd end)
    {
        _files.Open(part.Name, out var file).ThrowIfError();
        using (file)
        {
            _reader.Begin(file!, options);
            while (_reader.TryRead(out var stretch))
            {
                Write(output, stretch);
                Await(output.FlushAsync().AsTask(), output.CancelPendingFlush);
                ThrowIfFatal(part.Name, stretch.FileOffset);
                if (_isGivenUp())
                {
                    end = default;
                    return false;
                }

                Tell(_filesBefore + stretch.FileOffset + stretch.Length);
            }

            end = _reader.End;
            if (end.HasMore)
            {
                _reader.Cut().ThrowIfError();
            }
            else if (options.MayEndTorn)
            {
                file!.Sync().ThrowIfError(); // A process alone may have ended, and what follows counts on it.
            }

            if (end.CutBytes > 0)
            {
                _log.JournalWasCut(part.Name, end.CutBytes);
            }

            return true;
        }
    }

    /// <summary>Waits for the server to do its part, which may take long, or for its end.</summary>
    private void Await(Task task, Action cancel)
    {
        while (!task.Wait(ServerLimits.LastSnapshotCheckMs))
        {
            if (_isGivenUp())
            {
                cancel();
            }
        }
    }

    /// <summary>Waits until all is done that was handed over. Only then may the connection end: a command that still
    /// waits for something would end with it.</summary>
    /// <returns>False when it was given up.</returns>
    private bool TryAwaitEnd(PipeWriter output)
    {
        output.Write(_lastCommand);
        Await(output.FlushAsync().AsTask(), output.CancelPendingFlush);
        Await(_isDone.Task, () => _isDone.TrySetResult(false));
        return !_isGivenUp() && (_isDone.Task.Result
            ? true
            : throw new JournalException(
                "The connection was closed on which the journal's commands are repeated, before all were: the log "
                + "says why", _files.Manifest.Live.Last().Name, -1));
    }

    private void Tell(long loadedBytes)
    {
        _loading.LoadedBytes = loadedBytes;
        if (_clock.GetElapsedTime(_toldTimestamp).TotalMilliseconds >= ServerLimits.LoadingToldMs)
        {
            _toldTimestamp = _clock.GetTimestamp();
            _log.JournalLoadingGoesOn(_loading.Percent);
        }
    }

    /// <summary>Ends the start where something could not be repeated.</summary>
    private void ThrowIfFatal(string file, long offset)
    {
        if (_replies.FirstFatal is { } fatal)
        {
            throw new JournalException(
                $"A command of the journal could not be repeated, before byte {offset} of {file}: {fatal}. Nothing was "
                + "changed: mend the cause, or load the files with the server that wrote them", file, offset);
        }
    }

    private static unsafe void Write(PipeWriter output, in JournalStretch stretch)
        => output.Write(new ReadOnlySpan<byte>(stretch.Bytes, stretch.Length));

    private async Task ReadRepliesAsync(PipeReader input)
    {
        while (true)
        {
            var result = await input.ReadAsync().ConfigureAwait(false);
            foreach (var segment in result.Buffer)
            {
                _replies.Add(segment.Span);
            }

            input.AdvanceTo(result.Buffer.End);
            if (_replies.Tail.SequenceEqual(_lastReply))
            {
                _isDone.TrySetResult(true);
            }

            if (result.IsCompleted || result.IsCanceled)
            {
                _isDone.TrySetResult(false);
                input.Complete();
                return;
            }
        }
    }
}
