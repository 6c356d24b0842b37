using System.IO.Pipelines;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Runtime;

namespace Strata.Server.Journal;

/// <summary>The journal from the server's start to its end: its files are loaded, and then written by a thread of its
/// own.</summary>
internal sealed class JournalService : IDisposable
{
    private readonly ServerContext _context;
    private readonly EffectJournal _journal;
    private JournalThread? _thread;

    /// <summary>The journal of a server; nothing is looked at yet.</summary>
    public JournalService(ServerContext context, EffectJournal journal)
    {
        _context = context;
        _journal = journal;
    }

    /// <summary>Whether it is written.</summary>
    public bool IsWritten => _thread != null;

    /// <summary>Bytes of the files at the start.</summary>
    public long StartBytes { get; private set; }

    /// <summary>Bytes of the files; any thread.</summary>
    public long SizeBytes => _thread == null ? 0 : StartBytes + _thread.Keeper.WrittenBytes;

    private ServerOptions Options => _context.Configuration.Current;

    /// <summary>Loads what there is, and begins to write. While clients are not served.</summary>
    /// <param name="connect">Connects the client that repeats what stands in the files.</param>
    /// <param name="turnOn">Calls <see cref="EffectJournal.TurnOn"/> while all leases are held.</param>
    /// <exception cref="StartupException">The files are damaged, or the disk refuses them.</exception>
    public void Start(Func<IDuplexPipe> connect, Action turnOn)
    {
        var files = FilesOf(Options);
        try
        {
            _ = files.Load();
            var end = files.Exists ? Load(files, connect) : default;
            var error = files.Manifest.Increments.Count > 0 && end.CanResume
                ? files.Resume(end, out var writer)
                : files.BeginIncrement(null, end.Offset, out writer);
            error.ThrowIfError();
            files.Measure(out var bytes, out _).ThrowIfError();
            StartBytes = bytes;
            _ = files.CleanUp(); // What stays there is tried again next time.
            _thread = new JournalThread(await => new JournalKeeper(
                _journal,
                _context.Durability,
                files,
                writer!,
                _context.Log,
                _context.Platform.Clock,
                () => Options,
                isListed: true,
                await));
        }
        catch (Exception exception) when (exception is JournalException or IOException)
        {
            throw new StartupException(ExitCode.Resources, $"Cannot start: {exception.Message}");
        }

        _journal.Wanted = _thread.Wake;
        turnOn();
        _thread.Start();
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

    private JournalEnd Load(JournalFiles files, Func<IDuplexPipe> connect)
    {
        var clock = _context.Platform.Clock;
        var started = clock.GetTimestamp();
        using var loader = new JournalLoader(files, _context.Shards.Budget, _context.Log);
        var end = loader.Load(connect(), Options.LoadTruncated);
        _context.Log.JournalLoaded(loader.LoadedBytes, clock.GetElapsedTime(started).TotalSeconds);
        return end;
    }
}
