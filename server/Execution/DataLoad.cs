using Strata.Server.Clients;
using Strata.Server.Persistence;
using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Rdb;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Execution;

/// <summary>An RDB file that is being loaded while all leases are held: all workers do, in slices, between which they
/// answer and serve the device. The first one reads the file, and ends the load.</summary>
internal sealed class DataLoad
{
    private readonly ServerServices _services;
    private readonly string _path;
    private readonly bool _keepsExpired;
    private readonly bool _replaces;
    private readonly KeptTier? _kept;
    private volatile RdbLoader? _loader;
    private volatile string? _problem;
    private volatile bool _isGivenUp;
    private long _nextToldMs;

    /// <summary>A file that is to be loaded.</summary>
    /// <param name="services">The server's.</param>
    /// <param name="path">The file.</param>
    /// <param name="keepsExpired">Whether keys are loaded whose time has come.</param>
    /// <param name="replaces">Whether what is loaded takes the place of what is there; else that is a problem.</param>
    /// <param name="kept">What it is a checkpoint of; null where it is an RDB file.</param>
    public DataLoad(
        ServerServices services, string path, bool keepsExpired, bool replaces, KeptTier? kept = null)
    {
        _services = services;
        _path = path;
        _keepsExpired = keepsExpired;
        _replaces = replaces;
        _kept = kept;
    }

    /// <summary>Why it cannot be loaded; null if it can, by now.</summary>
    public string? Problem => _problem;

    /// <summary>Whether it was ended before all was loaded, and without a problem.</summary>
    public bool IsGivenUp => _isGivenUp && _problem == null;

    /// <summary>How long the RDB is, bytes; once all is loaded.</summary>
    public long Bytes { get; private set; }

    /// <summary>Ends it before all is loaded. Any thread.</summary>
    public void GiveUp() => _isGivenUp = true;

    /// <summary>Loads some; on the first worker.</summary>
    /// <returns>Whether there is more to do at once, nothing until somebody wakes the worker, or nothing any more:
    /// see <see cref="Problem"/> then.</returns>
    public LoadStep Read(ExecutionWorker worker)
    {
        try
        {
            var step = TryRead(worker);
            if (step == LoadStep.Ended)
            {
                End();
            }

            return step;
        }
        catch
        {
            _problem ??= "an internal error, of which the log says more";
            _loader?.Stop();
            throw; // The worker's fault ends the server.
        }
    }

    /// <summary>Loads some; on any other worker.</summary>
    /// <returns>Whether there is more to do at once.</returns>
    public bool Load(ExecutionWorker worker)
    {
        if (_loader is not { } loader)
        {
            return false;
        }

        try
        {
            using var lenience = new LenienceScope(Lenience.Takes); // The loader makes room itself.
            return loader.Load(worker.Number, worker.Worker.NowMs, NewSlice()) == LoadStep.GoesOn;
        }
        catch (Exception exception) when (IsExpected(exception))
        {
            Fail(loader, exception.Message);
            return false;
        }
        catch
        {
            Fail(loader, "an internal error, of which the log says more");
            throw;
        }
    }

    private static bool IsExpected(Exception exception)
        => exception is RdbException or IOException or MemoryExhaustedException or OutOfMemoryException;

    private LoadStep TryRead(ExecutionWorker worker)
    {
        try
        {
            using var lenience = new LenienceScope(Lenience.Takes);
            _loader ??= new RdbLoader(_services.Context, _services.Loading, _path, new RdbLoadOptions(
                _keepsExpired,
                _replaces,
                code => worker.LoadLibrary(code, _replaces),
                number => _services.Workers[number].Post(static () => { }),
                _kept));
            if (_problem == null && !_isGivenUp)
            {
                var step = _loader.Read(worker.Worker.NowMs, NewSlice());
                Tell(worker.Worker.NowMs);
                return step;
            }
        }
        catch (Exception exception) when (IsExpected(exception))
        {
            _problem ??= exception.Message;
        }

        _loader?.Stop();
        return _loader?.TryEnd() == false ? LoadStep.GoesOn : LoadStep.Ended;
    }

    private void Fail(RdbLoader loader, string problem)
    {
        _ = Interlocked.CompareExchange(ref _problem, problem, null);
        loader.Stop();
        _services.Workers[0].Post(static () => { });
    }

    private void End()
    {
        Bytes = _loader?.Offset ?? 0;
        var loader = _loader;
        _loader = null;
        loader?.Dispose();
    }

    private Deadline NewSlice()
    {
        var clock = _services.Context.Platform.Clock;
        var ticks = ServerLimits.LoadingSliceMs * clock.TimestampFrequency / 1000;
        return new Deadline(clock, clock.GetTimestamp(), ticks);
    }

    private void Tell(long nowMs)
    {
        var loading = _services.Loading;
        _nextToldMs = _nextToldMs == 0 ? nowMs + ServerLimits.LoadingToldMs : _nextToldMs;
        if (nowMs >= _nextToldMs)
        {
            _nextToldMs = nowMs + ServerLimits.LoadingToldMs;
            _services.Context.Log.LoadingGoesOn(loading.Percent, loading.Keys);
        }
    }
}
