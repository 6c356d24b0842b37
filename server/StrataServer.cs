using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using Microsoft.Extensions.Logging;
using Strata.Server.Clients;
using Strata.Server.Commands;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Execution.Waiting;
using Strata.Server.Hosting;
using Strata.Server.Lifecycle;
using Strata.Server.Messaging;
using Strata.Server.Network;
using Strata.Server.Network.Transport;
using Strata.Server.Network.Transport.InProcess;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Notifications;
using Strata.Server.Options;
using Strata.Server.Options.Keys;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server;

/// <summary>The engine: shards, workers and listeners, made from the configuration. Start once, stop once.</summary>
public sealed class StrataServer : IServerEngine, IDisposable
{
    private readonly List<Listener> _listeners = [];
    private readonly ServerWorker[] _workers;
    private readonly TierStartup? _tier;
    private int _nextWorker;
    private long _nextClientId;
    private long _clients;
    private bool _isStuck;

    private StrataServer(
        ConfigurationStore configuration,
        ServerShutdown shutdown,
        ILogger<StrataServer> logger,
        IDevice? device,
        Platform platform,
        CommandTable commands)
    {
        Limits.Check();
        Platform = platform;
        Commands = commands;
        var options = configuration.Current;
        Configuration = configuration;
        Shutdown = shutdown;
        Log = new ServerLog(logger);
        WorkerCount = options.WorkerCount;
        Quiescence = new Quiescence(WorkerCount);
        Databases = new DatabaseMap(options.Databases);
        Messages = new MessageHub(this);
        var budget = new MemoryBudget { LimitBytes = options.MaxMemoryBytes };
        var settings = new ShardSettings(
            options.Shards, Limits.MaxPageBits, WorkerCount > 1, UsesHugePages: !options.DisableThp, platform);
        _tier = TierStartup.Open(options, Log, device);
        Shards = new ShardMap(settings, budget, Quiescence, _tier?.Tier);
        SetPolicy(options);
        configuration.Subscribe(MemoryKeys.MaxMemory, (_, next) =>
        {
            budget.LimitBytes = next.MaxMemoryBytes;
            return null;
        });
        configuration.Subscribe(MemoryKeys.MaxMemoryPolicy, (_, next) =>
        {
            SetPolicy(next);
            return null;
        });

        if (_tier != null)
        {
            configuration.Subscribe(TierKeys.CompactionGarbagePercent, FollowTier);
            configuration.Subscribe(TierKeys.CopyReadsToTail, FollowTier);
        }

        KeyspaceEvents = new KeyspaceEvents(this, options.NotifyKeyspaceEvents);
        configuration.Subscribe(EngineKeys.NotifyKeyspaceEvents, (_, next) =>
        {
            KeyspaceEvents.Configure(next.NotifyKeyspaceEvents);
            return null;
        });
        Diagnostics = new ServerDiagnostics(this);
        _workers = new ServerWorker[WorkerCount];
        for (var i = 0; i < WorkerCount; i++)
        {
            _workers[i] = new ServerWorker(this, i);
        }

        Diagnostics.StartupBytes = budget.UsedBytes;
    }

    public ConfigurationStore Configuration { get; }

    /// <summary>The way to end the process from a command.</summary>
    public ServerShutdown Shutdown { get; }

    public ShardMap Shards { get; }

    public DatabaseMap Databases { get; }

    public CommandTable Commands { get; }

    public int WorkerCount { get; }

    public IReadOnlyList<ServerWorker> Workers => _workers;

    /// <summary>Clients connected now.</summary>
    public long ClientCount => Volatile.Read(ref _clients);

    /// <summary>Clients accepted since the start; any thread may read it.</summary>
    public long ConnectionsReceived { get; private set; }

    /// <summary>Clients turned away since the start; any thread may read it.</summary>
    public long ConnectionsRejected { get; private set; }

    /// <summary>CLIENT PAUSE and the monitors.</summary>
    internal ClientGates Gates { get; } = new();

    /// <summary>Publish and subscribe.</summary>
    internal MessageHub Messages { get; }

    /// <summary>What becomes of keys, for those who subscribe to it.</summary>
    internal KeyspaceEvents KeyspaceEvents { get; }

    /// <summary>The counters added up, the slow log and the latency monitor.</summary>
    public ServerDiagnostics Diagnostics { get; }

    /// <summary>Clock, pollers, random numbers.</summary>
    internal Platform Platform { get; }

    internal Quiescence Quiescence { get; }

    internal ServerLog Log { get; }

    /// <summary>Makes the shards and workers; nothing runs yet.</summary>
    /// <param name="configuration">The configuration in force.</param>
    /// <param name="shutdown">The way to end the process.</param>
    /// <param name="logger">Takes what happens.</param>
    /// <param name="device">Where data goes that does not fit into memory, in place of files; for tests.</param>
    /// <param name="platform">Clock, pollers and random numbers, in place of the machine's; for tests.</param>
    /// <param name="commands">The commands, in place of <see cref="CommandList.Table"/>; for tests.</param>
    /// <exception cref="StartupException">Address space, file descriptors or the disk are not to be had.</exception>
    public static StrataServer Create(
        ConfigurationStore configuration,
        ServerShutdown shutdown,
        ILogger<StrataServer> logger,
        IDevice? device = null,
        Platform? platform = null,
        CommandTable? commands = null)
    {
        try
        {
            return new StrataServer(
                configuration,
                shutdown,
                logger,
                device,
                platform ?? Platform.Machine,
                commands ?? CommandList.Table);
        }
        catch (Exception exception) when (exception is MemoryExhaustedException or IOException or DeviceException)
        {
            throw new StartupException(ExitCode.Resources, $"Cannot start: {exception.Message}");
        }
    }

    /// <inheritdoc/>
    public void Start()
    {
        foreach (var (socket, path) in ListeningSockets.Open(Configuration.Current, Log))
        {
            var listener = new Listener(this, socket, path);
            _listeners.Add(listener);
            listener.Start(_workers[0].Worker.Loop);
        }

        foreach (var worker in _workers)
        {
            worker.Worker.Start();
        }

        OpenTier();
        Log.Ready(WorkerCount, Shards.Count);
    }

    /// <inheritdoc/>
    /// <remarks>Accepts no more, executes what clients have sent by now, and sends the replies: all on the workers'
    /// threads, within <paramref name="timeout"/>. Then whatever is left is closed.</remarks>
    public void Stop(TimeSpan timeout)
    {
        Log.Stopping();
        var started = Platform.Clock.GetTimestamp();
        StopListening(timeout);
        using var drained = new CountdownEvent(WorkerCount);
        OnEveryWorker(worker => worker.Drain(drained));
        if (!drained.Wait(Left(timeout, started)))
        {
            Log.ClosedUnsent(ClientCount);
        }

        foreach (var worker in _workers)
        {
            worker.Worker.Stop();
        }

        foreach (var worker in _workers)
        {
            if (worker.Worker.Join(Limits.WorkerEndTimeout))
            {
                worker.CloseAll();
            }
            else
            {
                _isStuck = true;
                Log.WorkerStuck(worker.Number);
            }
        }

        Log.Stopped();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isStuck)
        {
            return; // A thread still uses the memory; the end of the process frees it.
        }

        foreach (var listener in _listeners)
        {
            listener.Dispose();
        }

        foreach (var worker in _workers)
        {
            worker.Dispose();
        }

        _tier?.Dispose();
        Shards.Dispose();
        Quiescence.Dispose();
    }

    /// <summary>Has something done on every worker's thread, some time soon. Any thread.</summary>
    internal void OnEveryWorker(Action<ServerWorker> action)
    {
        foreach (var worker in _workers)
        {
            worker.Worker.Post(new WorkerAction(worker, action));
        }
    }

    /// <summary>Connects a client in this process, as any other counted, limited and listed. Any thread, while the
    /// server runs.</summary>
    /// <returns>The client's end: RESP goes into its output, and replies come from its input. Who completes both has
    /// closed the connection; when the server does, the input ends. Either side holds a bounded number of bytes: a
    /// flush waits until they are read.</returns>
    public IDuplexPipe Connect()
    {
        var pipes = new InProcessPipes(Shards.Budget);
        _workers[0].Worker.Post(new WorkerAction(_workers[0], _ => Admit(pipes.Server)));
        return pipes.Client;
    }

    /// <summary>Deals an accepted socket to the next worker, or turns it away.</summary>
    internal void Admit(int fd, ClientAddress address)
    {
        if (TryAdmit(address, out var refusal))
        {
            if (address.UnixPath == null)
            {
                Admission.SetUp(fd, Configuration.Current);
            }

            var worker = NextWorker();
            Adopt(worker, new SocketTransport(worker, fd, isLocal: address.UnixPath != null), address);
        }
        else
        {
            Admission.TurnAway(fd, refusal);
        }
    }

    private void Admit(IDuplexPipe pipe)
    {
        if (TryAdmit(ClientAddress.InProcess, out var refusal))
        {
            var worker = NextWorker();
            Adopt(worker, new PipeTransport(worker, pipe), ClientAddress.InProcess);
        }
        else
        {
            pipe.Output.Write(refusal);
            pipe.Output.Complete();
            pipe.Input.Complete();
        }
    }

    /// <summary>Counts a client in, or turns it away; on the first worker.</summary>
    private bool TryAdmit(ClientAddress address, out ReadOnlySpan<byte> refusal)
    {
        refusal = Admission.RefusalOf(Configuration.Current, ClientCount, address);
        if (!refusal.IsEmpty)
        {
            ConnectionsRejected++;
            return false;
        }

        ConnectionsReceived++;
        Interlocked.Increment(ref _clients);
        return true;
    }

    private ServerWorker NextWorker()
    {
        var worker = _workers[_nextWorker];
        _nextWorker = (_nextWorker + 1) % WorkerCount;
        return worker;
    }

    private void Adopt(ServerWorker worker, ITransport transport, ClientAddress address)
        => worker.Worker.Post(new Adoption(worker, transport, address, ++_nextClientId));

    private void SetPolicy(ServerOptions options)
    {
        // What does not fit goes to the tier, if there is one: nothing is evicted then.
        var policy = _tier == null
            ? Enum.Parse<EvictionPolicy>(options.MaxMemoryPolicy.ToString())
            : EvictionPolicy.NoEviction;
        foreach (var shard in Shards.All)
        {
            shard.Policy = policy;
        }
    }

    internal void OnClientClosed() => Interlocked.Decrement(ref _clients);

    /// <summary>A slice of the background work of the shards whose home this worker is.</summary>
    internal void RunShardCycles(ServerWorker worker, long elapsedMs)
    {
        var (expireTicks, evictionTicks) = worker.Cycles.Run(worker.Worker.NowMs, elapsedMs);
        Watch(worker, LatencyMonitor.ExpireCycle, expireTicks);
        Watch(worker, LatencyMonitor.EvictionCycle, evictionTicks);
    }

    private string? FollowTier(ServerOptions previous, ServerOptions next)
    {
        TierStartup.Follow(_tier!.Tier, next);
        return null;
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
        using var opened = new CountdownEvent(WorkerCount);
        OnEveryWorker(worker =>
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
        opened.Wait();
        if (failure != null)
        {
            throw new StartupException(ExitCode.Resources, $"Cannot start: {failure.Message}");
        }
    }

    private TimeSpan Left(TimeSpan timeout, long started)
    {
        var left = timeout - Platform.Clock.GetElapsedTime(started);
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    /// <summary>Closes the listening sockets, on the thread of the worker that they belong to.</summary>
    private void StopListening(TimeSpan timeout)
    {
        var done = new ManualResetEventSlim();
        _workers[0].Worker.Post(new WorkerAction(_workers[0], _ =>
        {
            foreach (var listener in _listeners)
            {
                listener.Stop();
            }

            _listeners.Clear();
            done.Set();
        }));
        if (done.Wait(timeout))
        {
            done.Dispose();
        }
    }

    private void Watch(ServerWorker worker, string name, long ticks)
    {
        var thresholdMs = worker.Options.LatencyMonitorThresholdMs;
        var milliseconds = ticks * 1000 / Stopwatch.Frequency;
        if (thresholdMs > 0 && milliseconds >= thresholdMs)
        {
            Diagnostics.LatencyMonitor.Add(name, milliseconds);
        }
    }
}
