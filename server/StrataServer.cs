using System.IO.Pipelines;
using Microsoft.Extensions.Logging;
using Strata.Server.Clients;
using Strata.Server.Commands;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Execution;
using Strata.Server.Hosting;
using Strata.Server.Lifecycle;
using Strata.Server.Network;
using Strata.Server.Options;
using Strata.Server.Options.Keys;
using Strata.Server.Persistence;
using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Reports;
using Strata.Server.Runtime;
using Strata.Server.Scripting;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server;

/// <summary>The engine: shards, workers and listeners, made from the configuration. Start once, stop once.</summary>
public sealed class StrataServer : IServerEngine, IDisposable
{
    private readonly ListeningSockets _sockets;
    private readonly ServerWorker[] _workers;
    private readonly TierStartup? _tier;
    private readonly KeptTier? _kept;
    private readonly JournalControl _journal;
    private readonly DataReload _reload;
    private readonly Reception _reception;
    private bool _isStuck;

    private StrataServer(
        ConfigurationStore configuration,
        ServerShutdown shutdown,
        ILogger<StrataServer> logger,
        IDevice? device,
        Platform platform,
        CommandNames commands)
    {
        Limits.Check();
        CensusLimits.Check();
        ServerLimits.Check();
        TrafficLimits.Check();
        var options = configuration.Current;
        var quiescence = new Quiescence(options.WorkerCount);
        var log = new ServerLog(logger);
        var budget = new MemoryBudget { LimitBytes = options.MaxMemoryBytes };
        budget.Buffers.UsesHugePages = !options.DisableThp;
        var settings = new ShardSettings(
            options.Shards, Limits.MaxPageBits, options.WorkerCount > 1, UsesHugePages: !options.DisableThp, platform);
        _tier = TierStartup.Open(options, log, device, platform, out _kept);
        Context = new ServerContext(log)
        {
            Configuration = configuration,
            Shards = new ShardMap(settings, budget, quiescence, _tier?.Tier),
            Databases = new DatabaseMap(options.Databases),
            Shutdown = shutdown,
            WorkerCount = options.WorkerCount,
            Platform = platform,
            Quiescence = quiescence,
        };
        RestoreKept();
        SetPolicy(options);
        Services = new ServerServices(Context, commands)
        {
            ConnectOwn = () => _reception!.Connect(ClientOrigin.Server),
        };
        Observer = new ServerObserver(Services);
        _workers = new ServerWorker[Context.WorkerCount];
        for (var i = 0; i < Context.WorkerCount; i++)
        {
            _workers[i] = new ServerWorker(Services, i);
        }

        _workers[0].Reload = _reload = new DataReload(Services, _workers);
        _workers[0].Journal = _journal = new JournalControl(Services, _workers);
        _reception = new Reception(Services, _workers);
        _workers[0].Sockets = _sockets = new ListeningSockets(log, _reception.Admit);
        Services.Diagnostics.StartupBytes = budget.UsedBytes;
        Context.LeastMemory = new LeastMemory(budget.UsedBytes, options.Shards);
        FollowConfiguration();
    }

    /// <summary>What the whole server has in common.</summary>
    public ServerContext Context { get; }

    /// <summary>What it offers beside the data.</summary>
    public ServerServices Services { get; }

    public IReadOnlyList<ServerWorker> Workers => _workers;

    /// <inheritdoc/>
    public IServerObserver Observer { get; }

    private ServerLog Log => Context.Log;

    private ServerOptions Options => Context.Configuration.Current;

    /// <summary>Makes the shards and workers; nothing runs yet.</summary>
    /// <param name="configuration">The configuration in force.</param>
    /// <param name="shutdown">The way to end the process.</param>
    /// <param name="logger">Takes what happens.</param>
    /// <param name="device">Where data goes that does not fit into memory, in place of files; for tests.</param>
    /// <param name="platform">Clock, pollers and random numbers, in place of the machine's; for tests.</param>
    /// <param name="commands">The commands, in place of <see cref="CommandList.Table"/>; for tests.</param>
    /// <exception cref="StartupException">Address space, file descriptors or the disk are not to be had, or commands
    /// get names that they cannot have.</exception>
    public static StrataServer Create(
        ConfigurationStore configuration,
        ServerShutdown shutdown,
        ILogger<StrataServer> logger,
        IDevice? device = null,
        Platform? platform = null,
        CommandTable? commands = null)
    {
        var names = CommandNames.Of(commands ?? CommandList.Table, MissingCommands.Names, configuration.Renames);
        try
        {
            return new StrataServer(
                configuration,
                shutdown,
                logger,
                device,
                platform ?? Platform.Machine,
                names);
        }
        catch (Exception exception) when (exception is MemoryExhaustedException or IOException or DeviceException)
        {
            throw new StartupException(ExitCode.Resources, $"Cannot start: {exception.Message}");
        }
    }

    /// <inheritdoc/>
    public MemoryBudget Memory => Context.Shards.Budget;

    /// <inheritdoc/>
    public void Start()
    {
        if (Context.LeastMemory.RefusalOf(Options.MaxMemoryBytes) is { } refusal)
        {
            throw new StartupException(ExitCode.Configuration, $"maxmemory: {refusal}.");
        }

        Services.Users.LoadConfigured(Log);
        var load = StartupLoad.Of(Services, _kept);
        Array.ForEach(_workers, worker => worker.Load = load);
        Services.Tls.Open(Options);
        _sockets.Open(Options, _workers[0].Worker.Poller);
        foreach (var worker in _workers)
        {
            worker.Worker.Start();
        }

        OpenTier();
        try
        {
            load?.Await();
            Array.ForEach(_workers, static worker => worker.Load = null);
            _journal.Start(() => _reception.Connect(ClientOrigin.Journal));
        }
        catch (StartupException)
        {
            EndWorkers(); // The memory goes that they use.
            throw;
        }

        Log.Ready(Context.WorkerCount, Context.Shards.Count);
    }

    /// <inheritdoc/>
    /// <remarks>Waits for the scripts that are at work, as long as they take, unless the server is to end at once.
    /// Then it accepts no more, executes what clients have sent by now, and sends the replies: all on the workers'
    /// threads, within <paramref name="timeout"/>. Whatever is left is closed.</remarks>
    public void Stop(TimeSpan timeout)
    {
        using var drained = new CountdownEvent(Context.WorkerCount);
        if (TryAwaitScripts())
        {
            Log.Stopping();
            Drain(drained, timeout);
            _journal.AwaitBase();
            Services.LastSnapshot.Take();
        }

        EndWorkers();
        Services.JournalFiles.Stop();
        Log.Stopped();
    }

    /// <inheritdoc/>
    public Task TurnAsync()
    {
        // What waits for it does not go on on the last worker's thread.
        var turned = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var left = _workers.Length;
        Services.OnEveryWorker(_ =>
        {
            if (Interlocked.Decrement(ref left) == 0)
            {
                turned.SetResult();
            }
        }, mayRunWithin: true); // A worker with a slow script is no worker that hangs.
        return turned.Task;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isStuck)
        {
            return; // A thread still uses the memory; the end of the process frees it.
        }

        _sockets.Dispose();
        Services.UserWorks.Dispose();
        Services.Snapshots.UnlockFile();
        Services.JournalFiles.Dispose();
        _journal.Dispose();
        _reload.Dispose();
        foreach (var worker in _workers)
        {
            worker.Dispose();
        }

        Services.Tls.Dispose();
        _tier?.Dispose();
        Services.Journal.Dispose();
        Context.Shards.Dispose();
        Context.Quiescence.Dispose();
        Context.Shards.Budget.Buffers.ReleaseIdle();
    }

    /// <summary>Connects a client in this process, as any other counted, limited and listed. Any thread, while the
    /// server runs.</summary>
    /// <returns>The client's end: RESP goes into its output, and replies come from its input. Who completes both has
    /// closed the connection; when the server does, the input ends. Either side holds a bounded number of bytes: a
    /// flush waits until they are read.</returns>
    public IDuplexPipe Connect() => _reception.Connect(ClientOrigin.Anybody);

    /// <summary>Puts back what a checkpoint names.</summary>
    /// <exception cref="StartupException">It cannot be: nothing is used any more.</exception>
    private void RestoreKept()
    {
        if (_kept == null)
        {
            return;
        }

        try
        {
            _tier!.Restore(_kept, Context);
        }
        catch
        {
            _tier!.Dispose();
            Context.Shards.Dispose();
            Context.Quiescence.Dispose();
            throw;
        }
    }

    private void FollowConfiguration()
    {
        Context.Configuration.Subscribe(NetworkKeys.Bind, (_, next) => _sockets.ChangeBind(next));
        Context.Configuration.Subscribe(NetworkKeys.Port, (_, next) => _sockets.ChangePort(next));
        FollowTls();
        Context.Configuration.Subscribe(MemoryKeys.MaxMemory, (_, next) => SetMaxMemory(next.MaxMemoryBytes));
        _journal.FollowConfiguration();
        Follow(ClientKeys.Requirepass, next => Services.Users.SetDefaultPassword(next.Requirepass));
        Follow(MemoryKeys.MaxMemoryPolicy, SetPolicy);
        Follow(MemoryKeys.LfuLogFactor, SetPolicy);
        Follow(MemoryKeys.LfuDecayTime, SetPolicy);
        Follow(EngineKeys.NotifyKeyspaceEvents, next => Services.KeyspaceEvents.Configure(next.NotifyKeyspaceEvents));
        if (_tier != null)
        {
            Follow(TierKeys.CompactionGarbagePercent, next => TierStartup.Follow(_tier.Tier, next));
            Follow(TierKeys.CopyReadsToTail, next => TierStartup.Follow(_tier.Tier, next));
        }
    }

    private void FollowTls()
    {
        ApplyConfiguration change = (_, next) => Services.Tls.Change(next);
        foreach (var key in TlsKeys.Section.Keys)
        {
            Context.Configuration.Subscribe(key, change);
        }

        Context.Configuration.Subscribe(TlsKeys.TlsPort, (_, next) => _sockets.ChangeTlsPort(next));
    }

    private void Follow(ConfigurationKey key, Action<ServerOptions> follow)
        => Context.Configuration.Subscribe(key, (_, next) =>
        {
            follow(next);
            return null;
        });

    private string? SetMaxMemory(long bytes)
    {
        var refusal = Context.LeastMemory.RefusalOf(bytes);
        if (refusal == null)
        {
            Context.Shards.Budget.LimitBytes = bytes;
        }

        return refusal;
    }

    private void SetPolicy(ServerOptions options)
    {
        // What does not fit goes to the tier, if there is one: nothing is evicted then.
        var policy = _tier == null
            ? Enum.Parse<EvictionPolicy>(options.MaxMemoryPolicy.ToString())
            : EvictionPolicy.NoEviction;
        var frequencies = UsageTold.FrequenciesOf(options);
        foreach (var shard in Context.Shards.All)
        {
            shard.Policy = policy;
            shard.Frequencies = frequencies;
        }
    }

    /// <summary>Opens every worker's way to the device, each on its own thread, before clients are served.</summary>
    /// <exception cref="StartupException">The kernel refused one.</exception>
    private void OpenTier()
    {
        if (_tier == null)
        {
            return;
        }

        DeviceException? failure = null;
        using var opened = new CountdownEvent(_workers.Length);
        foreach (var worker in _workers)
        {
            worker.Post(() =>
            {
                try
                {
                    worker.OpenTier(_tier.Tier);
                }
                catch (DeviceException exception)
                {
                    failure = exception;
                }

                opened.Signal();
            });
        }

        opened.Wait();
        if (failure != null)
        {
            throw new StartupException(ExitCode.Resources, $"Cannot start: {failure.Message}");
        }
    }

    /// <summary>Waits for the scripts that are at work: what they do, they do whole.</summary>
    /// <returns>False when the server is to end at once.</returns>
    private bool TryAwaitScripts()
    {
        long[] current = [.. Services.Scripts.Running.Select(script => script.Current)];
        for (var i = 0; i < current.Length; i++)
        {
            if (!TryAwait(Services.Scripts.Of(i), current[i], i))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryAwait(RunningScript script, long current, int worker)
    {
        var isTold = false;
        while (current != 0 && script.Current == current)
        {
            if (Context.Shutdown.IsAtOnce)
            {
                return false;
            }

            if (script.IsSlow && !isTold)
            {
                Log.AwaitsScript(worker);
                isTold = true;
            }

            Thread.Sleep(ServerLimits.ScriptEndCheckMs);
        }

        return true;
    }

    private void Drain(CountdownEvent drained, TimeSpan timeout)
    {
        var started = Context.Platform.Clock.GetTimestamp();
        StopListening(timeout);
        Services.OnEveryWorker(worker => worker.Drain(drained));
        if (!drained.Wait(Left(timeout, started)))
        {
            Log.ClosedUnsent(Services.Diagnostics.Clients.Connected);
        }
    }

    /// <summary>Ends the workers' threads and closes what connections are left. A script that is still at work ends by
    /// half: last, when nobody is there any more who could see that.</summary>
    private void EndWorkers()
    {
        foreach (var worker in _workers)
        {
            worker.Worker.Stop();
        }

        List<ServerWorker> left = [];
        foreach (var worker in _workers)
        {
            if (Services.Scripts.Of(worker.Number).Current != 0 || !TryEnd(worker))
            {
                left.Add(worker);
            }
        }

        foreach (var worker in left)
        {
            Abandon(Services.Scripts.Of(worker.Number), worker.Number);
        }

        foreach (var worker in left)
        {
            if (!TryEnd(worker))
            {
                _isStuck = true;
                Log.WorkerStuck(worker.Number);
            }
        }
    }

    private void Abandon(RunningScript script, int worker)
    {
        if (script.Current != 0)
        {
            Log.ScriptIsAbandoned(worker);
            script.Abandon();
        }
    }

    private static bool TryEnd(ServerWorker worker)
    {
        if (!worker.Worker.Join(ServerLimits.WorkerEndTimeout))
        {
            return false;
        }

        worker.CloseAll();
        return true;
    }

    private TimeSpan Left(TimeSpan timeout, long started)
    {
        var left = timeout - Context.Platform.Clock.GetElapsedTime(started);
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    /// <summary>Closes the listening sockets, on the thread of the worker that they belong to.</summary>
    private void StopListening(TimeSpan timeout)
    {
        var done = new ManualResetEventSlim();
        _workers[0].Post(() =>
        {
            _sockets.Stop();
            done.Set();
        });
        if (done.Wait(timeout))
        {
            done.Dispose();
        }
    }
}
