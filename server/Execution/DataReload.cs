using Strata.Server.Clients;
using Strata.Server.Execution.Leases;
using Strata.Server.Persistence;
using Strata.Server.Runtime;
using Strata.Server.Scripting.Functions;
using Strata.Storage.Records;

namespace Strata.Server.Execution;

/// <summary>
/// Loads what is saved while the server runs, for DEBUG RELOAD: takes all leases, deletes the data if that is wanted,
/// and lets all workers load. A file that turns out to be damaged leaves nothing, or, where the data was not deleted,
/// what was loaded until then; the log tells why.
/// </summary>
/// <param name="services">The server's.</param>
/// <param name="workers">All of them.</param>
internal sealed class DataReload(ServerServices services, IReadOnlyList<ExecutionWorker> workers)
    : IDataLoad, IDisposable
{
    private readonly ReservedLeases _leases = new(workers[0]);
    private volatile DataLoad? _load;

    private ServerContext Context => services.Context;

    private string Path => services.Snapshots.FilePath;

    /// <summary>Begins with what is wanted; on the first worker.</summary>
    /// <returns>Whether it could not yet, and is to be called again.</returns>
    public bool MustBegin()
    {
        if (_load != null || services.Loading.IsLoading)
        {
            return false;
        }

        if (services.Reloads.Wanted is not { } request)
        {
            _leases.Abandon(); // It may have been given up meanwhile.
            return false;
        }

        if (!_leases.TryHold())
        {
            return true;
        }

        if (services.Reloads.TrySaveAgain())
        {
            _leases.GiveBack();
            return false;
        }

        var file = new FileInfo(Path);
        if (!file.Exists)
        {
            _leases.GiveBack();
            Context.Log.ReloadFailed(Path, "it does not exist");
            Answer(request, isLoaded: false);
            return false;
        }

        services.Loading.Begin(file.Length, Context.Platform.Clock.GetUtcNow());
        Context.Log.Loading(Path, file.Length);
        if (request.Empties)
        {
            Empty();
        }

        _load = new DataLoad(services, Path, keepsExpired: false, replaces: request.Replaces);
        foreach (var worker in workers)
        {
            worker.Load = this;
        }

        return true;
    }

    /// <inheritdoc/>
    public bool GoOn(ExecutionWorker worker)
    {
        if (_load is not { } load)
        {
            return false;
        }

        if (worker.Number != 0)
        {
            return load.Load(worker);
        }

        if (Context.Shutdown.IsRequested)
        {
            load.GiveUp();
        }

        var step = load.Read(worker);
        if (step == LoadStep.Ended)
        {
            End(load, worker.Worker.NowMs);
        }

        return step == LoadStep.GoesOn;
    }

    /// <inheritdoc/>
    public void Dispose() => _leases.Dispose();

    private void Empty()
    {
        foreach (var shard in Context.Shards.All)
        {
            DatabaseEraser.EraseAll(shard, author: null);
        }

        _ = services.Scripts.Functions.Apply(static (LibrarySet _, out LibrarySet changed) =>
        {
            changed = LibrarySet.Empty;
            return null;
        }, told: null);
        services.OnEveryWorker(static worker => worker.Functions.Adopt());
    }

    private void End(DataLoad load, long nowMs)
    {
        foreach (var worker in workers)
        {
            worker.Load = null;
        }

        var request = services.Reloads.Wanted!;
        var loading = services.Loading;
        if (load.Problem is { } problem)
        {
            Context.Log.ReloadFailed(Path, problem);
            if (request.Empties)
            {
                Empty();
            }
        }
        else if (!load.IsGivenUp)
        {
            services.Snapshots.History.OnLoaded();
            Context.Log.Loaded(loading.Keys, loading.ElapsedMs(nowMs), loading.ExpiredKeys);
        }

        _load = null;
        _leases.GiveBack();
        if (!load.IsGivenUp) // Else the server ends, and what is there in part is not served before.
        {
            loading.End();

            // The journal does not tell of what was loaded: it is to begin with it. But where nothing is left it keeps
            // what it has, as Redis's does.
            if (services.JournalFiles.IsOn && (load.Problem == null || !request.Empties))
            {
                services.Rewrites.Schedule();
            }
        }

        Answer(request, load is { Problem: null, IsGivenUp: false });
    }

    private void Answer(ReloadRequest request, bool isLoaded)
    {
        services.Reloads.End();
        request.OnEnded(isLoaded);
    }
}
