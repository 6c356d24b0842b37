using System.Diagnostics;
using Strata.Server.Clients;
using Strata.Server.Diagnostics;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Execution;
using Strata.Server.Execution.Accounting;
using Strata.Server.Execution.Leases;
using Strata.Server.Lifecycle;
using Strata.Server.Network;
using Strata.Server.Runtime;
using Strata.Storage.Devices;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server;

/// <summary>A worker of the server: what it does besides its clients' commands, by turn and by tick.</summary>
public sealed class ServerWorker : ExecutionWorker
{
    private readonly ShardCycles _cycles;
    private readonly ReservedLeases _allLeases;
    private readonly Func<HotKeyList> _readHotKeys;
    private readonly Func<HotKey, bool> _isThere;
    private long _eventsSeen;
    private bool _isSnapshotDue;
    private bool _isLoadingDue;
    private bool _isJournalDue;

    internal ServerWorker(ServerServices services, int number)
        : base(services, number)
    {
        _cycles = new ShardCycles(Server.Shards, number, Server.WorkerCount);
        _allLeases = new ReservedLeases(this);
        _readHotKeys = () => services.HotKeys(HotKeyMeasure.Reads);
        _isThere = new KeyGlance(this).Has;
    }

    /// <summary>What loads the data while the server runs; on the first worker, else null.</summary>
    internal DataReload? Reload { get; set; }

    /// <summary>What looks after the journal; on the first worker, else null.</summary>
    internal JournalControl? Journal { get; set; }

    /// <summary>The sockets that clients connect to; null but on the first worker.</summary>
    internal ListeningSockets? Sockets { get; set; }

    /// <inheritdoc/>
    public override void OnTurn(Worker worker)
    {
        Replies.IsOpen = worker.Ready > 1;
        Options = Server.Configuration.Current;
        Peaks.Note(worker.TurnTicks, Statistics.Commands, Services.Diagnostics.Period);
        SlowCommands.Use(Options);
        Context.NowMs = worker.NowMs;
        UpdateMayRun();
        Blocked.OnTurn(worker.NowMs);
        Tier?.Complete(worker.NowMs);
        GoOnWithSnapshot(worker);
        _isLoadingDue = Reload?.MustBegin() == true;
        _isLoadingDue |= Load?.GoOn(this) == true;
        _isJournalDue = Journal?.MustGoOn() == true;
    }

    /// <inheritdoc/>
    public override bool OnWait(Worker worker)
    {
        if (AwaitsDisk && Server.Durability.Released < Server.Durability.Last)
        {
            Services.Journal.Want();
        }

        return (Tier == null || Tier.TryPrepareWait()) && !_isSnapshotDue && !_isLoadingDue && !_isJournalDue;
    }

    /// <inheritdoc/>
    public override void OnTick(Worker worker, long elapsedMs)
    {
        Replies.Send(); // What is done here takes a while.
        Gates.OnTick();
        if (!Services.IsCronPaused)
        {
            CheckConnections();
            RunShardCycles(elapsedMs);
        }

        if (Budget.IsOver)
        {
            CollectScripts();
        }

        ResumeWaiting();
        var usualMs = IsDraining ? ServerLimits.DrainTickMs
            : Services.Snapshots.UnderWay != null ? ServerLimits.SnapshotTickMs
            : 1000 / Options.Hz;
        worker.TickMs = RoomTickMs(Gates.TickMs(_cycles.PeriodMs(usualMs)));
        SlowCommands.Trim();
        Usage = ThreadUsage.Now();
        if (Number == 0)
        {
            Services.Diagnostics.OnTick();
            Services.Curve.Tick(worker.NowMs, _readHotKeys, _isThere);
            Services.Tls.OnTick(worker.NowMs);
            Journal?.OnTick();
            Sockets?.OnTick(worker.NowMs);
            if (!Services.Loading.IsLoading)
            {
                Services.Snapshots.OnTick(worker.NowMs);
            }

            Budget.Buffers.Trim(worker.NowMs);
        }
    }

    /// <inheritdoc/>
    public override void OnFault(Worker worker, Exception exception)
    {
        // A handler's error was answered long before it gets here. What does get here left a lease or a list in an
        // unknown state: better to end than to serve from it.
        Server.Log.WorkerFault(Number, exception);
        Server.Shutdown.Fail(ExitCode.Internal, $"Worker {Number} failed by an internal error: {exception.Message}");
    }

    /// <summary>Opens the worker's way to the device; on the worker's thread.</summary>
    /// <exception cref="DeviceException">The kernel gives no more queues.</exception>
    internal void OpenTier(Tier tier)
    {
        Tier = new TierWorker(
            tier, Number, Server.Shards.Budget, Worker, exception => OnFault(Worker, exception));
        Tier.RoomMade += ResumeWaiting;
        if (Tier.RegisterErrno != 0)
        {
            Server.Log.BuffersNotRegistered(Number, Tier.RegisterErrno);
        }
    }

    /// <summary>Begins a snapshot that is wanted, and goes on with the one under way: a little where clients have sent
    /// something, more where they have not.</summary>
    private void GoOnWithSnapshot(Worker worker)
    {
        var snapshots = Services.Snapshots;
        var isStartWanted = Number == 0 && snapshots.IsStartWanted;
        if (isStartWanted && Services.Loading.IsLoading)
        {
            if (Server.Shutdown.IsRequested)
            {
                snapshots.Cancel("the server ends, and the data is there in part");
            }
        }
        else if (isStartWanted)
        {
            _isSnapshotDue = !_allLeases.TryDo(snapshots.BeginWanted);
            UpdateMayRun(); // From its moment on changes may have to wait.
            return;
        }

        _allLeases.Abandon(); // What was to begin may have been given up meanwhile.
        if (snapshots.UnderWay == null)
        {
            _isSnapshotDue = false;
            return;
        }

        var isBusy = worker.Events != _eventsSeen;
        _eventsSeen = worker.Events;
        var us = isBusy ? ServerLimits.BusySnapshotSliceUs : ServerLimits.IdleSnapshotSliceUs;
        _isSnapshotDue = snapshots.GoOn(Number, Tier, us * Stopwatch.Frequency / 1_000_000);
    }

    /// <summary>A slice of the background work of the shards whose home this worker is.</summary>
    private void RunShardCycles(long elapsedMs)
    {
        var (expireTicks, evictionTicks) = _cycles.Run(Worker.NowMs, elapsedMs);
        Watch(LatencyMonitor.ExpireCycle, expireTicks);
        Watch(LatencyMonitor.EvictionCycle, evictionTicks);
    }

    private void Watch(string name, long ticks)
    {
        var thresholdMs = Options.LatencyMonitorThresholdMs;
        var milliseconds = ticks * 1000 / Stopwatch.Frequency;
        if (thresholdMs > 0 && milliseconds >= thresholdMs)
        {
            Services.Diagnostics.LatencyMonitor.Add(name, milliseconds);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        _allLeases.Dispose();
    }
}
