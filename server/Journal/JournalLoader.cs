using System.Buffers;
using System.IO.Pipelines;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Storage.Memory;

namespace Strata.Server.Journal;

/// <summary>
/// Repeats what stands in the journal's files: hands the commands, once their checksums are right, to a client in the
/// process, for whom nothing expires and no memory is refused. For the time of the start.
/// </summary>
internal sealed class JournalLoader : IDisposable
{
    private readonly JournalFiles _files;
    private readonly ServerLog _log;
    private readonly JournalFileReader _reader;
    private readonly ReplyErrors _errors = new();

    /// <summary>A loader of files whose manifest was read.</summary>
    public JournalLoader(JournalFiles files, MemoryBudget budget, ServerLog log)
    {
        _files = files;
        _log = log;
        _reader = new JournalFileReader(budget);
    }

    /// <summary>Bytes of the files so far.</summary>
    public long LoadedBytes { get; private set; }

    /// <summary>Repeats all of the base, if it is one of commands, and of the increments.</summary>
    /// <param name="client">The client's end of its connection, which is closed at the end.</param>
    /// <param name="loadsTruncated">Whether a torn end is cut.</param>
    /// <returns>How the last file ends.</returns>
    /// <exception cref="JournalException">A file is damaged, or has commands that this server does not
    /// know.</exception>
    public JournalEnd Load(IDuplexPipe client, bool loadsTruncated)
    {
        var replies = Task.Run(() => ReadRepliesAsync(client.Input));
        var end = default(JournalEnd);
        try
        {
            end = LoadAll(client.Output, loadsTruncated);
        }
        finally
        {
            client.Output.Complete();
            replies.GetAwaiter().GetResult();
        }

        var last = _files.Manifest.Increments.Count > 0 ? _files.Manifest.Increments[^1].Name : "";
        ThrowIfFatal(last, end.SizeBytes);
        if (_errors.Count > 0)
        {
            _log.JournalCommandsFailed(_errors.Count, _errors.First ?? "");
        }

        return end;
    }

    /// <inheritdoc/>
    public void Dispose() => _reader.Dispose();

    private JournalEnd LoadAll(PipeWriter output, bool loadsTruncated)
    {
        var parts = new List<ManifestPart>();
        if (_files.Manifest.Base is { } first)
        {
            parts.Add(first);
        }

        parts.AddRange(_files.Manifest.Increments);
        var end = default(JournalEnd);
        var expectedOffset = -1L;
        for (var i = 0; i < parts.Count; i++)
        {
            var isLast = i == parts.Count - 1;
            var isBase = parts[i].Kind == ManifestPartKind.Base;
            end = LoadFile(parts[i], new JournalReadOptions(isLast, isBase, loadsTruncated, 0, expectedOffset), output);
            expectedOffset = isBase ? -1 : end.Offset;
        }

        return end;
    }

    private JournalEnd LoadFile(ManifestPart part, in JournalReadOptions options, PipeWriter output)
    {
        var error = _files.Open(part.Name, out var file);
        if (error.IsError)
        {
            throw new JournalException(error.Text, part.Name, -1);
        }

        using (file)
        {
            if (JournalFileReader.IsRdb(file!))
            {
                throw new JournalException(
                    $"The base '{file!.Path}' is an RDB file, which cannot be loaded yet: have the server that wrote "
                    + "it rewrite its files (BGREWRITEAOF) with aof-use-rdb-preamble no", part.Name, 0);
            }

            _reader.Begin(file!, options);
            while (_reader.TryRead(out var stretch))
            {
                Write(output, stretch);
                LoadedBytes += stretch.Length;
                output.FlushAsync().AsTask().GetAwaiter().GetResult();
                ThrowIfFatal(part.Name, stretch.FileOffset);
            }

            var end = _reader.End;
            if (end.CutBytes > 0)
            {
                _reader.Cut();
                _log.JournalWasCut(part.Name, end.CutBytes);
            }

            return end;
        }
    }

    /// <summary>Ends the start where something could not be repeated.</summary>
    private void ThrowIfFatal(string file, long offset)
    {
        if (_errors.FirstFatal is { } fatal)
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
                _errors.Add(segment.Span);
            }

            input.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                input.Complete();
                return;
            }
        }
    }
}
