using Strata.Server.Clients;
using Strata.Server.Lifecycle;
using Strata.Server.Persistence;
using Strata.Server.Rdb;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Execution;

/// <summary>
/// Loads the data before it is served: from the moment the server listens until all of it is there, commands are
/// answered
/// <c>-LOADING</c>. The first worker loads it in slices, between which it answers; it holds all leases from before the
/// workers start, so that nobody touches what is there in part. A file that is damaged ends the start.
/// </summary>
internal sealed class StartupLoad
{
    private readonly ServerServices _services;
    private readonly string _path;
    private volatile bool _hasEnded;
    private RdbLoader? _loader;
    private volatile bool _mayGoOn;
    private volatile bool _isGivenUp;
    private string? _problem;
    private long _nextToldMs;

    private StartupLoad(ServerServices services, string path)
    {
        _services = services;
        _path = path;
        foreach (var shard in services.Context.Shards.All)
        {
            Invariant.Check(shard.Lease.TryAcquire(), "nobody uses a shard before the start");
        }

        services.Loading.Begin(new FileInfo(path).Length, services.Context.Platform.Clock.GetUtcNow());
        services.Context.Log.Loading(path, services.Loading.TotalBytes);
    }

    /// <summary>What is to be loaded, for which all leases are taken; null where there is nothing. Before the workers
    /// start.</summary>
    public static StartupLoad? Of(ServerServices services)
    {
        var options = services.Context.Configuration.Current;
        var path = Path.Combine(options.Directory, options.DbFileName);
        return !options.AppendOnly && File.Exists(path) ? new StartupLoad(services, path) : null;
    }

    /// <summary>Waits until all is loaded, on the thread that starts the server, or until the server is to stop.
    /// </summary>
    /// <param name="endWorkers">Ends the workers' threads where it cannot be loaded: the memory goes that they use.
    /// </param>
    /// <exception cref="StartupException">It cannot be loaded.</exception>
    public void Await(Action endWorkers)
    {
        _mayGoOn = true;
        _services.Workers[0].Post(static () => { }); // It may be waiting for events.
        while (!_hasEnded)
        {
            _isGivenUp |= _services.Context.Shutdown.IsRequested;
            Thread.Sleep(ServerLimits.LastSnapshotCheckMs);
        }

        if (_problem != null)
        {
            endWorkers();
            throw new StartupException(
                ExitCode.Data,
                $"Cannot start: '{_path}' cannot be loaded: {_problem}. Nothing of it was served, and it is as it "
                + $"was. Look at it with strata-server --check-rdb {_path}; put a whole copy in its place, or move it "
                + "away to start without data");
        }
    }

    /// <summary>Loads some; on the first worker.</summary>
    /// <returns>Whether there is more.</returns>
    public bool GoOn(ExecutionWorker worker)
    {
        if (!_mayGoOn || _hasEnded)
        {
            return false;
        }

        try
        {
            _loader ??= new RdbLoader(
                _services.Context, _services.Loading, _path, worker.Number, worker.LoadLibrary);
            if (!_isGivenUp && !TryFinish(worker, _loader))
            {
                return true;
            }
        }
        catch (Exception exception)
            when (exception is RdbException or IOException or MemoryExhaustedException or OutOfMemoryException)
        {
            _problem = exception.Message;
        }
        catch
        {
            _problem = "an internal error, of which the log says more";
            _hasEnded = true; // The worker's fault ends the server.
            throw;
        }

        _loader?.Dispose();
        _hasEnded = true;
        return false;
    }

    private bool TryFinish(ExecutionWorker worker, RdbLoader loader)
    {
        var clock = _services.Context.Platform.Clock;
        var nowMs = worker.Worker.NowMs;
        var ticks = ServerLimits.LoadingSliceMs * clock.TimestampFrequency / 1000;
        if (!loader.Step(nowMs, new Deadline(clock, clock.GetTimestamp(), ticks)))
        {
            Tell(nowMs);
            return false;
        }

        var loading = _services.Loading;
        _services.Snapshots.History.OnLoaded();
        _services.Context.Log.Loaded(loading.Keys, nowMs - loading.StartedMs, loading.ExpiredKeys);
        foreach (var shard in _services.Context.Shards.All)
        {
            worker.Executor.Release(shard, nowMs);
        }

        loading.End();
        return true;
    }

    private void Tell(long nowMs)
    {
        var loading = _services.Loading;
        _nextToldMs = _nextToldMs == 0 ? nowMs + ServerLimits.LoadingToldMs : _nextToldMs;
        if (nowMs >= _nextToldMs)
        {
            _nextToldMs = nowMs + ServerLimits.LoadingToldMs;
            _services.Context.Log.LoadingGoesOn(
                100 * loading.LoadedBytes / Math.Max(1, loading.TotalBytes), loading.Keys);
        }
    }
}
