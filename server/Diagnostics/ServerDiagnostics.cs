using System.Diagnostics;
using Strata.Server.Commands.Model;
using Strata.Server.Runtime;
using Strata.Server.Versions;
using Strata.Storage.Runtime;

namespace Strata.Server.Diagnostics;

/// <summary>What the server knows about itself besides the counters of its workers and shards. All members may be
/// called from any thread.</summary>
public sealed class ServerDiagnostics
{
    private readonly ServerContext _server;
    private readonly CommandTable _commands;
    private readonly List<WorkerCounters> _workers = [];
    private volatile ServerTotals? _baseline;
    private int _period;

    internal ServerDiagnostics(ServerContext server, CommandTable commands)
    {
        _server = server;
        _commands = commands;
        Clock = server.Platform.Clock;
        RunId = DrawRunId(server.Platform);
        StartedAt = Clock.GetUtcNow();
        SlowLog = new SlowLog(server.WorkerCount, server.Shards.Budget);
        LatencyMonitor = new LatencyMonitor(Clock);
    }

    /// <summary>40 hexadecimal digits drawn at the start.</summary>
    public string RunId { get; }

    /// <summary>What it runs on. It is asked for at the start: later there may be no file descriptor for it.</summary>
    public string OperatingSystem { get; } = OperatingSystemName.Read();

    /// <summary>The server's clock.</summary>
    public TimeProvider Clock { get; }

    /// <summary>The time of the start.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>Memory charged before the first key, bytes.</summary>
    public long StartupBytes { get; internal set; }

    /// <summary>Who came and went.</summary>
    public ClientCounts Clients { get; } = new();

    public SlowLog SlowLog { get; }

    public LatencyMonitor LatencyMonitor { get; }

    /// <summary>Operations and bytes of the last second or two.</summary>
    public RateMeter Rates { get; } = new();

    /// <summary>For how long more memory was used than is allowed.</summary>
    public LimitWatch OverLimit { get; } = new();

    /// <summary>How often <see cref="ResetStatistics"/> has begun anew.</summary>
    public int Period => Volatile.Read(ref _period);

    /// <summary>The longest turn of a worker since then, in ticks of <see cref="Stopwatch"/>.</summary>
    public long LongestTurnTicks => _workers.Max(worker => worker.Peaks.LongestTicks(Period));

    /// <summary>The most commands of a worker's turn since then.</summary>
    public long MostCommandsOfTurn => _workers.Max(worker => worker.Peaks.MostCommands(Period));

    /// <summary>The counters of all workers and shards since the start or the last <see cref="ResetStatistics"/>.
    /// </summary>
    public ServerTotals Totals()
    {
        var totals = TotalsSinceStart();
        return _baseline is { } baseline ? totals.Since(baseline) : totals;
    }

    /// <summary>CONFIG RESETSTAT: from here on only what comes is counted. The workers' own counters run on, so that no
    /// thread writes to another's; of their peaks they begin a new one with their next turn.</summary>
    public void ResetStatistics()
    {
        _baseline = TotalsSinceStart();
        Interlocked.Increment(ref _period);
    }

    /// <summary>The counters of all workers and shards since the start.</summary>
    /// <param name="totals">Where they are put, in the place of what was there; null for an object of their own.
    /// </param>
    internal ServerTotals TotalsSinceStart(ServerTotals? totals = null)
    {
        totals ??= new ServerTotals(_commands);
        totals.Read(_commands, _workers, _server.Shards);
        totals[ServerCounter.ConnectionsReceived] = Clients.Received;
        totals[ServerCounter.ConnectionsRejected] = Clients.Rejected;
        totals[ServerCounter.OverLimitMs] = OverLimit.TotalMs;
        return totals;
    }

    /// <summary>A worker was made, which counts here.</summary>
    internal void Add(WorkerCounters worker) => _workers.Add(worker);

    /// <summary>Takes a sample of what changes with time; on the first worker.</summary>
    internal void OnTick()
    {
        var timestamp = Clock.GetTimestamp();
        Rates.Tick(timestamp, _workers);
        OverLimit.Tick(_server.Shards.Budget, timestamp / (Stopwatch.Frequency / 1000));
    }

    private static string DrawRunId(Platform platform)
    {
        Span<byte> bytes = stackalloc byte[20];
        platform.FillSecret(bytes);
        return Convert.ToHexStringLower(bytes);
    }
}
