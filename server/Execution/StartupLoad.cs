using Strata.Server.Clients;
using Strata.Server.Lifecycle;
using Strata.Server.Persistence;
using Strata.Server.Persistence.Checkpoints;
using Strata.Storage;

namespace Strata.Server.Execution;

/// <summary>
/// Loads an RDB file before the data is served: that of <c>dbfilename</c>, or what the journal begins with. From the
/// moment the server listens until all data is there, commands are answered <c>-LOADING</c>. All leases are held from
/// before the workers start, so that nobody touches what is there in part. A file that is damaged ends the start.
/// </summary>
internal sealed class StartupLoad : IDataLoad
{
    private readonly ServerServices _services;
    private readonly string _path;
    private readonly bool _isBase;
    private readonly DataLoad _load;
    private volatile bool _hasEnded;
    private volatile bool _mayGoOn;

    private StartupLoad(ServerServices services, string path, bool isBase, KeptTier? kept)
    {
        _services = services;
        _path = path;
        _isBase = isBase;
        _load = new DataLoad(services, path, keepsExpired: isBase, replaces: false, kept);
        foreach (var shard in services.Context.Shards.All)
        {
            Invariant.Check(shard.Lease.TryAcquire(), "nobody uses a shard before the start");
        }
    }

    /// <summary>Looks what is to be loaded, from which moment on the server says that it loads. Before the workers
    /// start.</summary>
    /// <param name="services">The server's.</param>
    /// <param name="kept">The checkpoint that the journal begins with; null where it begins with another base.</param>
    /// <returns>What loads an RDB file, for which all leases are taken; null where there is none.</returns>
    /// <exception cref="StartupException">The journal's files are not as they must be, or another server uses the
    /// files.</exception>
    public static StartupLoad? Of(ServerServices services, KeptTier? kept)
    {
        var options = services.Context.Configuration.Current;
        if (options.SavePoints.Count > 0)
        {
            LockFile(services);
        }

        if (options.AppendOnly)
        {
            services.Gates.HoldWhileLoading(true);
            return services.JournalFiles.Open(services.Loading) is { } rdb
                ? new StartupLoad(services, rdb, isBase: true, kept)
                : null;
        }

        var path = services.Snapshots.FilePath;
        if (!File.Exists(path))
        {
            return null;
        }

        services.Loading.Begin(new FileInfo(path).Length, services.Context.Platform.Clock.GetUtcNow());
        services.Context.Log.Loading(path, services.Loading.TotalBytes);
        return new StartupLoad(services, path, isBase: false, kept: null);
    }

    /// <summary>Keeps other servers from the file that the data is to be saved to by itself.</summary>
    private static void LockFile(ServerServices services)
    {
        try
        {
            services.Snapshots.LockFile();
        }
        catch (IOException exception)
        {
            throw new StartupException(ExitCode.Resources, $"Cannot start: {exception.Message}");
        }
    }

    /// <summary>Waits until all is loaded, on the thread that starts the server, or until the server is to stop.
    /// </summary>
    /// <exception cref="StartupException">It cannot be loaded.</exception>
    public void Await()
    {
        _mayGoOn = true;
        _services.Workers[0].Post(static () => { }); // It may be waiting for events.
        while (!_hasEnded)
        {
            if (_services.Context.Shutdown.IsRequested)
            {
                _load.GiveUp();
            }

            Thread.Sleep(ServerLimits.LastSnapshotCheckMs);
        }

        if (_load.Problem is { } problem)
        {
            var check = _isBase ? "--check-aof" : "--check-rdb";
            throw new StartupException(
                ExitCode.Data,
                $"Cannot start: '{_path}' cannot be loaded: {problem}. Nothing of it was served, and it is as it "
                + $"was. Look at it with strata-server {check} {_path}; put a whole copy in its place, or move "
                + (_isBase ? "the whole folder away to start without data" : "it away to start without data"));
        }
    }

    /// <inheritdoc/>
    public bool GoOn(ExecutionWorker worker)
    {
        if (!_mayGoOn || _hasEnded)
        {
            return false;
        }

        if (worker.Number != 0)
        {
            return _load.Load(worker);
        }

        var isAtFault = true;
        try
        {
            var step = _load.Read(worker);
            isAtFault = false;
            if (step != LoadStep.Ended)
            {
                return step == LoadStep.GoesOn;
            }
        }
        finally
        {
            _hasEnded |= isAtFault;
        }

        if (_load.Problem == null && !_load.IsGivenUp)
        {
            Finish(worker);
        }

        _hasEnded = true;
        return false;
    }

    private void Finish(ExecutionWorker worker)
    {
        var nowMs = worker.Worker.NowMs;
        foreach (var shard in _services.Context.Shards.All)
        {
            worker.Executor.Release(shard, nowMs);
        }

        if (_isBase)
        {
            _services.JournalFiles.OnBaseLoaded(_load.Bytes);
            return;
        }

        var loading = _services.Loading;
        _services.Snapshots.History.OnLoaded();
        _services.Context.Log.Loaded(loading.Keys, loading.ElapsedMs(nowMs), loading.ExpiredKeys);
        loading.End();
    }
}
