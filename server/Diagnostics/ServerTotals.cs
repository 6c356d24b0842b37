using Strata.Server.Commands.Model;
using Strata.Storage.Sharding;

namespace Strata.Server.Diagnostics;

/// <summary>The counters of all workers and shards, added up at one moment. The workers go on counting meanwhile, so
/// the numbers fit each other as well as numbers a moment old can.</summary>
public sealed class ServerTotals
{
    private readonly SortedDictionary<string, long> _errors = new(StringComparer.Ordinal);
    private readonly CommandTotals?[] _commands;
    private readonly long[] _counters = new long[(int)ServerCounter.Count];

    /// <summary>Nothing counted yet.</summary>
    internal ServerTotals(CommandTable commands) => _commands = new CommandTotals?[commands.IndexEnd];

    /// <summary>Reads the counters of all, in the place of what was there.</summary>
    internal void Read(CommandTable commands, IReadOnlyList<WorkerCounters> workers, ShardMap shards)
    {
        Array.Clear(_counters);
        _errors.Clear();
        foreach (var totals in _commands)
        {
            totals?.Clear();
        }

        foreach (var worker in workers)
        {
            Add(worker);
        }

        AddCommands(workers, commands);
        foreach (var shard in shards.All)
        {
            Add(shard);
        }
    }

    /// <summary>Error replies.</summary>
    public long TotalErrors => _errors.Values.Sum();

    /// <summary>Error replies by code, those that occurred.</summary>
    public IEnumerable<KeyValuePair<string, long>> Errors => _errors.Where(error => error.Value != 0);

    /// <summary>The commands that were used, subcommands behind their containers.</summary>
    public IEnumerable<CommandTotals> UsedCommands => _commands.OfType<CommandTotals>().Where(totals => totals.IsUsed);

    /// <summary>What was counted of something.</summary>
    public long this[ServerCounter counter]
    {
        get => _counters[(int)counter];
        internal set => _counters[(int)counter] = value;
    }

    /// <summary>What was counted of a command; null when it was never used.</summary>
    public CommandTotals? Of(CommandRow row) => _commands[row.Index] is { IsUsed: true } totals ? totals : null;

    /// <summary>Takes off what was counted up to an earlier moment. Changes this object.</summary>
    /// <returns>This object.</returns>
    public ServerTotals Since(ServerTotals earlier)
    {
        for (var i = 0; i < _counters.Length; i++)
        {
            _counters[i] -= earlier._counters[i];
        }

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

    private void Add(WorkerCounters counters)
    {
        var (worker, statistics, _) = counters;
        this[ServerCounter.Commands] += statistics.Commands;
        this[ServerCounter.Hits] += statistics.Hits;
        this[ServerCounter.Misses] += statistics.Misses;
        this[ServerCounter.AuthenticationsDenied] += statistics.AuthenticationsDenied;
        this[ServerCounter.CommandsDenied] += statistics.CommandsDenied;
        this[ServerCounter.KeysDenied] += statistics.KeysDenied;
        this[ServerCounter.ChannelsDenied] += statistics.ChannelsDenied;
        this[ServerCounter.ReceivedBytes] += worker.ReceivedBytes;
        this[ServerCounter.SentBytes] += worker.SentBytes;
        this[ServerCounter.Reads] += worker.Reads;
        this[ServerCounter.Writes] += worker.Writes;
        this[ServerCounter.InputLimitsPassed] += worker.InputLimitsPassed;
        this[ServerCounter.OutputLimitsPassed] += worker.OutputLimitsPassed;
        this[ServerCounter.Turns] += worker.Worker.Turns;
        this[ServerCounter.TurnTicks] += worker.Worker.TurnTicks;
        this[ServerCounter.CronTicks] += worker.Worker.TickTicks;
        foreach (var (code, count) in worker.Errors.All)
        {
            AddError(code, count);
        }
    }

    private void Add(Shard shard)
    {
        this[ServerCounter.ExpiredKeys] += shard.Statistics.ExpiredKeys;
        this[ServerCounter.ExpiredFields] += shard.Statistics.ExpiredFields;
        this[ServerCounter.ExpireCycleTicks] += shard.Statistics.ExpireCycleTicks;
        this[ServerCounter.ExpireCyclesCut] += shard.Statistics.ExpireCyclesCut;
        this[ServerCounter.EvictedKeys] += shard.Statistics.EvictedKeys;
        this[ServerCounter.FreedCollections] += shard.Collections.Freed;
    }

    private void AddError(string code, long count) => _errors[code] = _errors.GetValueOrDefault(code) + count;

    private void AddCommands(IReadOnlyList<WorkerCounters> workers, CommandTable table)
    {
        for (var i = 0; i < table.Rows.Count; i++) // An enumerator for each row would be garbage by the scrape.
        {
            var row = table.Rows[i];
            for (var worker = 0; worker < workers.Count; worker++)
            {
                if (workers[worker].Statistics.Of(row) is { } entry)
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
