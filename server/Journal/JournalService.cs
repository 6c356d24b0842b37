using System.IO.Pipelines;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Persistence;
using Strata.Server.Runtime;
using Strata.Storage.Devices;
using Strata.Storage.Runtime;

namespace Strata.Server.Journal;

/// <summary>The journal's files and the thread that writes them, from the server's start to its end, or while
/// <c>appendonly</c> says so. Changed by the thread that starts or stops the server, and between these by the first
/// worker, or under all leases.</summary>
internal sealed class JournalService : IDisposable
{
    private readonly ServerContext _context;
    private readonly EffectJournal _journal;
    private readonly Lock _lock = new();

    // It is there from the start: where a journal begins later there may be no file descriptor left, and whoever wakes
    // the thread of one that has ended may come late.
    private readonly ThreadSignal _wake = new();
    private volatile JournalFiles? _files;
    private volatile JournalThread? _thread;
    private Task<JournalFiles>? _prepared;
    private Task<NextIncrement?>? _next;
    private Task _rotated = Task.CompletedTask;
    private Task _dropped = Task.CompletedTask;
    private long _offset;
    private bool _isBegun;
    private volatile bool _isEnding;
    private long _rdbBytes;

    /// <summary>The journal of a server; nothing is looked at yet.</summary>
    public JournalService(ServerContext context, EffectJournal journal)
    {
        _context = context;
        _journal = journal;
        Folder = new JournalFolder(context.Platform);
    }

    /// <summary>Where its files lie.</summary>
    public JournalFolder Folder { get; }

    /// <summary>Whether there is a journal from the start on (<see cref="Open"/>).</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Whether it is written. Any thread.</summary>
    public bool IsOn => _thread != null;

    /// <summary>Whether it is to be written, since the configuration was changed, and is not yet. Any thread.</summary>
    public bool IsToBegin => Options.AppendOnly && _thread == null && _files == null;

    /// <summary>Whether it is to be written no more, and some of it still is.</summary>
    public bool IsEnding => _isEnding;

    /// <summary>Whether it is written, and no base is there yet that it follows. Any thread.</summary>
    public bool IsUnlisted => _thread?.Keeper.IsUnlisted == true;

    /// <summary>Whether a rewrite is needed: nothing that is told can be kept without, or the journal is to begin with
    /// it. Any thread.</summary>
    public bool NeedsBase => _thread is { } thread
        ? thread.Keeper.IsUnlisted || thread.Keeper.IsBaseAwaited
        : Options.AppendOnly;

    /// <summary>Whether data is being saved, or the files rewritten.</summary>
    public Func<bool> IsSnapshotUnderWay { get; set; } = static () => false;

    /// <summary>Bytes of the files; any thread.</summary>
    public long SizeBytes => _thread?.Keeper.SizeBytes ?? 0;

    /// <summary>The same at the start, or when they were rewritten last; any thread.</summary>
    public long BaseBytes => _thread?.Keeper.BaseBytes ?? 0;

    /// <summary>Syncs of the files that were begun and have not ended; any thread.</summary>
    public int PendingSyncs => _thread?.Keeper.Background.PendingSyncs ?? 0;

    /// <summary>How long the disk took for each sync of what was written; any thread.</summary>
    public RequestLatency SyncLatency { get; } = new();

    /// <summary>Seconds at whose end a sync was due and the one before had not ended; any thread.</summary>
    public long DelayedSyncs => _thread?.Keeper.Background.DelayedSyncs ?? 0;

    private NextIncrement? MadeAhead => _next is { IsCompletedSuccessfully: true } made ? made.Result : null;

    private ServerOptions Options => _context.Configuration.Current;

    /// <summary>Looks at the files, from which moment on the server says that it loads. Before anything else.</summary>
    /// <param name="loading">Where that is said.</param>
    /// <returns>Where the base lies if it begins with an RDB, which is to be loaded first; else null.</returns>
    /// <exception cref="StartupException">The files are not as they must be, or the disk refuses them.</exception>
    public string? Open(LoadingState loading)
    {
        var code = ExitCode.Resources;
        try
        {
            Folder.Lock(Options);
            code = ExitCode.Data;
            _files = Folder.FilesOf(Options);
            _ = _files.Load();
            IsOpen = true;
            _files.Measure(out var bytes, out _).ThrowIfError();
            loading.Begin(bytes, _context.Platform.Clock.GetUtcNow());
            if (bytes > 0)
            {
                _context.Log.Loading(JournalFolder.PathOf(Options), bytes);
            }

            return _files.Manifest.Base is { } first ? JournalLoader.PathToLoad(_files, first) : null;
        }
        catch (Exception exception) when (exception is JournalException or IOException)
        {
            throw Refused(code, exception);
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
        var code = ExitCode.Data;
        try
        {
            var end = default(JournalEnd);
            if (_context.Shutdown.IsRequested || (files.Exists && !TryLoad(files, loading, connect, out end)))
            {
                return false;
            }

            code = ExitCode.Resources;
            var error = files.Manifest.Increments.Count > 0 && end.CanResume
                ? files.Resume(end, out var writer)
                : files.BeginIncrement(end.Offset, out writer);
            error.ThrowIfError();
            files.Measure(out var bytes, out _).ThrowIfError();
            _ = files.CleanUp(); // What stays there is tried again next time.
            _thread = NewThread(files, writer, writer!.Offset, bytes);
        }
        catch (Exception exception) when (exception is JournalException or IOException)
        {
            throw Refused(code, exception);
        }

        _journal.Wanted = _thread.Wake;
        turnOn();
        _thread.Start();
        return true;
    }

    /// <summary>Looks at the files, on another thread, that a journal is to be written to which begins while the server
    /// runs.</summary>
    /// <returns>Whether that is done.</returns>
    /// <exception cref="IOException">They are not as they must be, or the disk refuses them.</exception>
    public bool TryPrepare()
    {
        _prepared ??= _dropped.ContinueWith(_ => Folder.Take(Options), TaskScheduler.Default);
        if (!_prepared.IsCompleted)
        {
            return false;
        }

        if (_prepared.Exception?.InnerException is { } exception)
        {
            _prepared = null;
            throw exception as IOException ?? new IOException(exception.Message, exception);
        }

        return true;
    }

    /// <summary>Forgets what was prepared.</summary>
    public void ForgetPrepared() => _prepared = null;

    /// <summary>Begins to write what is told from this moment on, if that is prepared. The files count with the base
    /// that is made of this moment. All leases are held.</summary>
    public void BeginIfPrepared()
    {
        if (_thread != null || _prepared is not { IsCompletedSuccessfully: true } prepared || !Options.AppendOnly)
        {
            return;
        }

        _prepared = null;
        _files = prepared.Result;
        var thread = NewThread(_files, writer: null, _offset, sizeBytes: 0);
        _journal.Wanted = thread.Wake;
        _journal.TurnOn();
        _thread = thread;
        _isBegun = true;
    }

    /// <summary>Tells no more, and has what was told be written. All leases are held.</summary>
    public void End()
    {
        if (_thread is { } thread && !_isEnding)
        {
            _isEnding = true;
            _journal.TurnOff();
            _context.Durability.IsAwaited = false;
            thread.End();
        }
    }

    /// <summary>Looks whether that is done; on the first worker.</summary>
    public void GoOnEnding()
    {
        if (!_isEnding || _thread is not { HasEnded: true } thread)
        {
            return;
        }

        _isEnding = false;
        DropNext();
        _offset = thread.Keeper.Offset;
        _thread = null;
        _files = null;
        _journal.Wanted = null;
        _journal.Problem = null;
        Tell(thread);
        thread.Dispose();

        // Whoever still waits for the disk does so in vain: there is no journal any more.
        var durability = _context.Durability;
        durability.Durable = durability.Last;
        durability.Release(durability.Last);
        _journal.OnDurable();
    }

    /// <summary>Has the file be made that the journal is to go on in from a moment on, so that nobody waits for the
    /// disk then. On the first worker, or under all leases.</summary>
    /// <returns>What ends with it. What fails then is tried again at the moment.</returns>
    public Task PrepareRotation()
    {
        if (_thread is not { } thread || _isEnding || NeedsBase)
        {
            return Task.CompletedTask; // It is made at the moment: before its base is there nothing in it counts.
        }

        var files = _files!;
        lock (_lock)
        {
            if (_next is { IsCompleted: false })
            {
                return _next;
            }

            var made = MadeAhead;
            if (made == null || !files.IsNext(made))
            {
                var (unused, rotated) = (made, _rotated);
                _next = Task.Run(() => PrepareNext(files, unused, () => rotated.IsCompleted || thread.HasEnded));
            }

            return _next!;
        }
    }

    /// <summary>Has the journal go on in another file from this moment on. All leases are held.</summary>
    /// <returns>The journal's thread, and what gives the file's number when it is there, or says that it cannot be
    /// made; nulls where there is no journal at work.</returns>
    public (JournalThread? Thread, Task<long>? Rotated) Rotate()
    {
        if (_thread is not { } thread || _isEnding)
        {
            return default;
        }

        var rotated = new TaskCompletionSource<long>();
        _rotated = rotated.Task;
        var next = TakeNext();
        lock (_journal.Unsharded)
        {
            // What no lease is needed for is not told between the two.
            thread.Keeper.RotateBehind(
                new JournalRotation(_journal.LastSequence, next, rotated));
        }

        if (_isBegun)
        {
            _isBegun = false;
            thread.Start();
        }

        thread.Wake();
        return (thread, rotated.Task);
    }

    /// <summary>The files that a base is to be written to.</summary>
    /// <param name="thread">Who has them; null where there is no journal at work.</param>
    /// <exception cref="IOException">They are not as they must be.</exception>
    public JournalFiles FilesToRewrite(JournalThread? thread)
    {
        var files = _files; // Also while a thread ends that has them.
        return (thread != null || IsOn) && files != null ? files : Folder.Take(Options);
    }

    /// <summary>Writes what is left, and ends. No command is executed any more.</summary>
    public void Stop()
    {
        if (_thread == null)
        {
            return;
        }

        _thread.Stop();
        DropNext();
        _dropped.Wait();
        if (_thread.Failure is { } failure)
        {
            _context.Shutdown.Fail(
                ExitCode.Unsaved,
                $"The server ends, and the end of its journal was not written: {failure}. What was changed last is "
                + "lost");
        }
        else
        {
            Tell(_thread);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _thread?.Dispose();
        _wake.Dispose();
        Folder.Dispose();
    }

    private JournalThread NewThread(JournalFiles files, JournalFileWriter? writer, long offset, long sizeBytes)
        => new(_wake, (await, work) => new JournalKeeper(
            new JournalContext
            {
                Journal = _journal,
                Durability = _context.Durability,
                Files = files,
                Log = _context.Log,
                Work = work,
                SyncLatency = SyncLatency,
                Clock = _context.Platform.Clock,
                Options = () => Options,
                IsSnapshotUnderWay = () => IsSnapshotUnderWay(),
                Await = await,
            },
            writer,
            offset,
            sizeBytes));

    /// <summary>The file that was made ahead, for who goes on in it.</summary>
    private NextIncrement? TakeNext()
    {
        lock (_lock)
        {
            var made = MadeAhead;
            _next = made == null ? _next : null;
            return made;
        }
    }

    /// <summary>Deletes the file that was made ahead, as soon as it is, beside the caller.</summary>
    private void DropNext()
    {
        lock (_lock)
        {
            if (_next is { } next)
            {
                var files = _files!;
                _dropped = next.ContinueWith(
                    made =>
                    {
                        if (made is { IsCompletedSuccessfully: true, Result: { } unused })
                        {
                            lock (files)
                            {
                                files.Drop(unused);
                            }
                        }
                    },
                    TaskScheduler.Default);
                _next = null;
            }
        }
    }

    private static NextIncrement? PrepareNext(JournalFiles files, NextIncrement? unused, Func<bool> isRotated)
    {
        while (!isRotated())
        {
            Thread.Sleep(ServerLimits.LastSnapshotCheckMs); // The disk does not have what is before the last moment.
        }

        lock (files)
        {
            if (unused != null)
            {
                files.Drop(unused);
            }

            _ = files.PrepareIncrement(out var next); // What fails is tried again at the moment, which tells.
            return next;
        }
    }

    private void Tell(JournalThread ended)
    {
        if (ended.Failure is { } failure)
        {
            _context.Log.JournalEndIsLost(failure);
        }
        else if (ended.Keeper.IsUnlisted)
        {
            _context.Log.JournalWithoutBase();
        }
    }

    private static StartupException Refused(ExitCode code, Exception exception)
        => new(code, $"Cannot start: {exception.Message}");

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
