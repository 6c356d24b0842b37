using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Strata.Server.Commands;
using Strata.Server.Hosting;
using Strata.Server.Network;
using Strata.Server.Options;
using Strata.Server.Options.Keys;
using Strata.Storage;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server;

/// <summary>The engine: shards, workers and listeners, made from the configuration. Start once, stop once.</summary>
public sealed class StrataServer : IServerEngine, IDisposable
{
    private readonly List<Listener> _listeners = [];
    private readonly ServerWorker[] _workers;
    private int _nextWorker;
    private long _nextClientId;
    private long _clients;

    private StrataServer(ConfigurationStore configuration, ServerShutdown shutdown, ILogger<StrataServer> logger)
    {
        Limits.Check();
        var options = configuration.Current;
        Configuration = configuration;
        Shutdown = shutdown;
        Log = new ServerLog(logger);
        WorkerCount = options.WorkerCount;
        Quiescence = new Quiescence(WorkerCount);
        Databases = new DatabaseMap(options.Databases);
        var budget = new MemoryBudget { LimitBytes = options.MaxMemoryBytes };
        var pageBits = ShardSettings.PageBitsFor(options.MaxMemoryBytes, options.Shards);
        Shards = new ShardMap(new ShardSettings(options.Shards, pageBits, WorkerCount > 1), budget, Quiescence);
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

        _workers = new ServerWorker[WorkerCount];
        for (var i = 0; i < WorkerCount; i++)
        {
            _workers[i] = new ServerWorker(this, i);
        }
    }

    public ConfigurationStore Configuration { get; }

    /// <summary>The way to end the process from a command.</summary>
    public ServerShutdown Shutdown { get; }

    public ShardMap Shards { get; }

    public DatabaseMap Databases { get; }

    public CommandTable Commands { get; } = CommandList.Table;

    public int WorkerCount { get; }

    public IReadOnlyList<ServerWorker> Workers => _workers;

    /// <summary>Clients connected now.</summary>
    public long ClientCount => Volatile.Read(ref _clients);

    internal Quiescence Quiescence { get; }

    internal ServerLog Log { get; }

    /// <summary>Makes the shards and workers; nothing runs yet.</summary>
    /// <exception cref="StartupException">Address space or file descriptors are not to be had.</exception>
    public static StrataServer Create(
        ConfigurationStore configuration, ServerShutdown shutdown, ILogger<StrataServer> logger)
    {
        try
        {
            return new StrataServer(configuration, shutdown, logger);
        }
        catch (Exception exception) when (exception is MemoryExhaustedException or IOException)
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

        Log.Ready(WorkerCount, Shards.Count);
    }

    /// <inheritdoc/>
    public void Stop(TimeSpan timeout)
    {
        Log.Stopping();
        foreach (var worker in _workers)
        {
            worker.Worker.Stop();
        }

        foreach (var worker in _workers)
        {
            worker.Worker.Join(timeout);
            worker.CloseAll();
        }

        foreach (var listener in _listeners)
        {
            listener.Dispose();
        }

        Log.Stopped();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var worker in _workers)
        {
            worker.Dispose();
        }

        Shards.Dispose();
        Quiescence.Dispose();
    }

    /// <summary>Deals an accepted socket to the next worker.</summary>
    internal void Admit(int fd, ClientAddress address)
    {
        Interlocked.Increment(ref _clients);
        var one = 1;
        _ = SocketCalls.SetNoDelay(fd, one);
        var worker = _workers[_nextWorker];
        _nextWorker = (_nextWorker + 1) % WorkerCount;
        worker.Worker.Post(new Adoption(worker, fd, address, ++_nextClientId));
    }

    private void SetPolicy(ServerOptions options)
    {
        foreach (var shard in Shards.All)
        {
            shard.Policy = Enum.Parse<EvictionPolicy>(options.MaxMemoryPolicy.ToString());
        }
    }

    internal void OnClientClosed() => Interlocked.Decrement(ref _clients);

    /// <summary>Background work of the shards whose home this worker is, for at most a quarter of the time.</summary>
    internal void RunShardCycles(ServerWorker worker, long elapsedMs)
    {
        var homes = (Shards.Count - worker.Number + WorkerCount - 1) / WorkerCount;
        var ticks = elapsedMs * Stopwatch.Frequency / 1000 / 4 / Math.Max(1, homes);
        for (var i = worker.Number; i < Shards.Count; i += WorkerCount)
        {
            var shard = Shards[i];
            if (shard.Lease.TryAcquire())
            {
                shard.RunCycle(worker.Number, worker.Worker.NowMs, ticks);
                shard.Lease.Release(shard);
            }
        }
    }
}
