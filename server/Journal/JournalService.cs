using System.IO.Pipelines;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Persistence;
using Strata.Server.Runtime;

namespace Strata.Server.Journal;

/// <summary>The journal from the server's start to its end: its files are loaded, and then written by a thread of its
/// own.</summary>
internal sealed class JournalService : IDisposable
{
    private readonly ServerContext _context;
    private readonly EffectJournal _journal;
    private JournalFiles? _files;
    private JournalThread? _thread;
    private long _rdbBytes;

    /// <summary>The journal of a server; nothing is looked at yet.</summary>
    public JournalService(ServerContext context, EffectJournal journal)
    {
        _context = context;
        _journal = journal;
    }

    /// <summary>Whether it is written.</summary>
    public bool IsWritten => _thread != null;

    /// <summary>Bytes of the files; any thread.</summary>
    public long SizeBytes => _thread?.Keeper.SizeBytes ?? 0;

    /// <summary>The same at the start, or when they were rewritten last; any thread.</summary>
    public long BaseBytes => _thread?.Keeper.BaseBytes ?? 0;

    private ServerOptions Options => _context.Configuration.Current;

    /// <summary>Looks at the files, from which moment on the server says that it loads. Before anything else.</summary>
    /// <param name="loading">Where that is said.</param>
    /// <returns>Where the base lies if it begins with an RDB, which is to be loaded first; else null.</returns>
    /// <exception cref="StartupException">The files are not as they must be, or the disk refuses them.</exception>
    public string? Open(LoadingState loading)
    {
        try
        {
            _files = FilesOf(Options);
            _ = _files.Load();
            _files.Measure(out var bytes, out _).ThrowIfError();
            loading.Begin(bytes, _context.Platform.Clock.GetUtcNow());
            if (bytes > 0)
            {
                _context.Log.Loading(Path.Combine(Options.Directory, Options.AppendDirName), bytes);
            }

            return _files.Manifest.Base is { } first && JournalLoader.RdbPath(_files, first) is { } path ? path : null;
        }
        catch (Exception exception) when (exception is JournalException or IOException)
        {
            throw Refused(exception);
        }
    }

    /// <summary>The RDB was loaded that the base begins with.</summary>
    /// <param name="bytes">How long it is.</param>
    public void OnBaseLoaded(long bytes) => _rdbBytes = bytes;

    /// <summary>Loads what there is besides, and begins to write.</summary>
    /// <param name="loading">Where progress is told.</param>
    /// <param name="connect">Connects the client that repeats what stands in the files.</param>
    /// <param name="turnOn">Calls <see cref="EffectJournal.TurnOn"/> while all leases are held.</param>
    /// <returns>False when the server is to stop: nothing is written.</returns>
    /// <exception cref="StartupException">The files are damaged, or the disk refuses them.</exception>
    public bool TryStart(LoadingState loading, Func<IDuplexPipe> connect, Action turnOn)
    {
        var files = _files!;
        try
        {
            var end = default(JournalEnd);
            if (_context.Shutdown.IsRequested || (files.Exists && !TryLoad(files, loading, connect, out end)))
            {
                return false;
            }

            var error = files.Manifest.Increments.Count > 0 && end.CanResume
                ? files.Resume(end, out var writer)
                : files.BeginIncrement(null, end.Offset, out writer);
            error.ThrowIfError();
            files.Measure(out var bytes, out _).ThrowIfError();
            _ = files.CleanUp(); // What stays there is tried again next time.
            _thread = NewThread(files, writer, writer!.Offset, bytes);
        }
        catch (Exception exception) when (exception is JournalException or IOException)
        {
            throw Refused(exception);
        }

        _journal.Wanted = _thread.Wake;
        turnOn();
        _thread.Start();
        return true;
    }

    /// <summary>Has the journal go on in another file from this moment on. All leases are held.</summary>
    /// <returns>The journal's thread, and what gives the file's number when it is there; nulls where there is no
    /// journal at work.</returns>
    public (JournalThread? Thread, Task<long>? Rotated) Rotate()
    {
        if (_thread is not { } thread)
        {
            return default;
        }

        var rotated = new TaskCompletionSource<long>();
        thread.Keeper.RotateBehind(
            new JournalRotation(_journal.LastSequence, number => rotated.TrySetResult(number)));
        thread.Wake();
        return (thread, rotated.Task);
    }

    /// <summary>The files that a base is to be written to.</summary>
    /// <param name="thread">Who has them; null where there is no journal at work.</param>
    /// <exception cref="IOException">They are not as they must be.</exception>
    public JournalFiles FilesToRewrite(JournalThread? thread)
    {
        if (thread != null)
        {
            return _files!;
        }

        try
        {
            var files = FilesOf(Options);
            _ = files.Load(takesOver: false);
            return files;
        }
        catch (JournalException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    /// <summary>Writes what is left, and ends. No command is executed any more.</summary>
    public void Stop()
    {
        if (_thread == null)
        {
            return;
        }

        _thread.Stop();
        if (_thread.Failure is { } failure)
        {
            _context.Log.JournalEndIsLost(failure);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _thread?.Dispose();

    private JournalFiles FilesOf(ServerOptions options)
        => new(
            new DiskFolder(options.Directory),
            new DiskFolder(Path.Combine(options.Directory, options.AppendDirName)),
            options.AppendFileName,
            _context.Platform);

    private JournalThread NewThread(JournalFiles files, JournalFileWriter? writer, long offset, long sizeBytes)
        => new(await => new JournalKeeper(
            _journal,
            _context.Durability,
            files,
            writer,
            offset,
            sizeBytes,
            _context.Log,
            _context.Platform.Clock,
            () => Options,
            await));

    private static StartupException Refused(Exception exception)
        => new(ExitCode.Resources, $"Cannot start: {exception.Message}");

    private bool TryLoad(
        JournalFiles files, LoadingState loading, Func<IDuplexPipe> connect, out JournalEnd end)
    {
        var clock = _context.Platform.Clock;
        using var loader = new JournalLoader(files, _context.Shards.Budget, loading, _context.Log, clock);
        if (!loader.TryLoad(connect(), Options.LoadTruncated, _rdbBytes, () => _context.Shutdown.IsRequested, out end))
        {
            return false;
        }

        var seconds = (clock.GetUtcNow().ToUnixTimeMilliseconds() - loading.StartedMs) / 1000.0;
        _context.Log.JournalLoaded(loading.TotalBytes, seconds);
        return true;
    }
}
