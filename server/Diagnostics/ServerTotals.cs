using Strata.Server.Commands.Model;
using Strata.Storage.Sharding;

namespace Strata.Server.Diagnostics;

/// <summary>The counters of all workers and shards, added up at one moment. The workers go on counting meanwhile, so
/// the numbers fit each other as well as numbers a moment old can.</summary>
public sealed class ServerTotals
{
    private readonly SortedDictionary<string, long> _errors = new(StringComparer.Ordinal);
    private readonly CommandTotals?[] _commands;

    internal ServerTotals(
        CommandTable commands, ClientCounts clients, IReadOnlyList<WorkerCounters> workers, ShardMap shards)
    {
        _commands = new CommandTotals?[commands.IndexEnd];
        ConnectionsReceived = clients.Received;
        ConnectionsRejected = clients.Rejected;
        foreach (var (worker, statistics) in workers)
        {
            Commands += statistics.Commands;
            Hits += statistics.Hits;
            Misses += statistics.Misses;
            ReceivedBytes += worker.ReceivedBytes;
            SentBytes += worker.SentBytes;
            Turns += worker.Worker.Turns;
            foreach (var (code, count) in worker.Errors.All)
            {
                AddError(code, count);
            }
        }

        AddCommands(workers, commands);
        foreach (var shard in shards.All)
        {
            ExpiredKeys += shard.Statistics.ExpiredKeys;
            ExpiredFields += shard.Statistics.ExpiredFields;
            EvictedKeys += shard.Statistics.EvictedKeys;
            ExpireCycleTicks += shard.Statistics.ExpireCycleTicks;
            EvictionTicks += shard.Statistics.EvictionTicks;
        }
    }

    /// <summary>Clients accepted.</summary>
    public long ConnectionsReceived { get; private set; }

    /// <summary>Clients turned away.</summary>
    public long ConnectionsRejected { get; private set; }

    /// <summary>Commands executed.</summary>
    public long Commands { get; private set; }

    /// <summary>Reads that found their key.</summary>
    public long Hits { get; private set; }

    /// <summary>Reads that did not.</summary>
    public long Misses { get; private set; }

    public long ReceivedBytes { get; private set; }

    public long SentBytes { get; private set; }

    /// <summary>Turns of the workers' loops.</summary>
    public long Turns { get; private set; }

    public long ExpiredKeys { get; private set; }

    public long ExpiredFields { get; private set; }

    public long EvictedKeys { get; private set; }

    /// <summary>Time spent on expired keys in the background, in <see cref="System.Diagnostics.Stopwatch"/>'s ticks.
    /// </summary>
    public long ExpireCycleTicks { get; private set; }

    /// <summary>Time spent on eviction, likewise.</summary>
    public long EvictionTicks { get; private set; }

    /// <summary>Error replies.</summary>
    public long TotalErrors => _errors.Values.Sum();

    /// <summary>Error replies by code, those that occurred.</summary>
    public IEnumerable<KeyValuePair<string, long>> Errors => _errors.Where(error => error.Value != 0);

    /// <summary>The commands that were used, subcommands behind their containers.</summary>
    public IEnumerable<CommandTotals> UsedCommands => _commands.OfType<CommandTotals>().Where(totals => totals.IsUsed);

    /// <summary>What was counted of a command; null when it was never used.</summary>
    public CommandTotals? Of(CommandRow row) => _commands[row.Index] is { IsUsed: true } totals ? totals : null;

    /// <summary>Takes off what was counted up to an earlier moment. Changes this object.</summary>
    /// <returns>This object.</returns>
    public ServerTotals Since(ServerTotals earlier)
    {
        ConnectionsReceived -= earlier.ConnectionsReceived;
        ConnectionsRejected -= earlier.ConnectionsRejected;
        Commands -= earlier.Commands;
        Hits -= earlier.Hits;
        Misses -= earlier.Misses;
        ReceivedBytes -= earlier.ReceivedBytes;
        SentBytes -= earlier.SentBytes;
        Turns -= earlier.Turns;
        ExpiredKeys -= earlier.ExpiredKeys;
        ExpiredFields -= earlier.ExpiredFields;
        EvictedKeys -= earlier.EvictedKeys;
        ExpireCycleTicks -= earlier.ExpireCycleTicks;
        EvictionTicks -= earlier.EvictionTicks;
        foreach (var (code, count) in earlier._errors)
        {
            AddError(code, -count);
        }

        foreach (var totals in earlier._commands)
        {
            if (totals != null)
            {
                _commands[totals.Row.Index]?.Subtract(totals);
            }
        }

        return this;
    }

    private void AddError(string code, long count) => _errors[code] = _errors.GetValueOrDefault(code) + count;

    private void AddCommands(IReadOnlyList<WorkerCounters> workers, CommandTable table)
    {
        foreach (var row in table.Rows)
        {
            foreach (var worker in workers)
            {
                if (worker.Statistics.Of(row) is { } entry)
                {
                    (_commands[row.Index] ??= new CommandTotals(row)).Add(entry);
                }
            }

            if (row.Subcommands != null)
            {
                AddCommands(workers, row.Subcommands);
            }
        }
    }
}
