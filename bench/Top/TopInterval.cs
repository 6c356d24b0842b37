namespace Strata.Bench.Top;

/// <summary>What happened between two looks at a server. What cannot be told, as the counters were reset or nothing was
/// measured, is not a number.</summary>
/// <param name="before">The first look.</param>
/// <param name="now">The second.</param>
internal sealed class TopInterval(TopSample before, TopSample now)
{
    /// <summary>The second look.</summary>
    public TopSample Now { get; } = now;

    /// <summary>Reads that found their key, per cent of all.</summary>
    public double HitRatio
    {
        get
        {
            var (hits, misses) = (PerSecond("keyspace_hits"), PerSecond("keyspace_misses"));
            return hits + misses > 0 ? 100 * hits / (hits + misses) : double.NaN;
        }
    }

    private double Seconds => Now.Seconds - before.Seconds;

    /// <summary>How much a counter of INFO has grown a second.</summary>
    public double PerSecond(string field)
    {
        var grown = Now.Number(field) - before.Number(field);
        return grown >= 0 && Seconds > 0 ? grown / Seconds : double.NaN;
    }

    /// <summary>What each of the things took that a counter counts, in the mean: how much the sum has grown for each.
    /// </summary>
    public double Mean(string sum, string count)
    {
        var grown = Now.Number(count) - before.Number(count);
        return grown > 0 ? (Now.Number(sum) - before.Number(sum)) / grown : double.NaN;
    }

    /// <summary>Microseconds that so many per cent of the calls did not exceed, to the next power of two, as servers
    /// tell them.</summary>
    public double Percentile(double percentile) => Percentile(Now.Latencies, before.Latencies, percentile);

    /// <summary>The commands that took most time: calls a second, microseconds of each in the mean and those that 99 of
    /// 100 did not exceed, and the share of the time of all.</summary>
    public IReadOnlyList<(string Name, double CallsPerSecond, double Mean, double P99, double Share)> Commands(int most)
    {
        List<(string Name, long Calls, long Microseconds)> used = [];
        foreach (var (name, (calls, microseconds)) in Now.Commands)
        {
            var (earlierCalls, earlierMicroseconds) = before.Commands.GetValueOrDefault(name);
            if (calls > earlierCalls)
            {
                used.Add((name, calls - earlierCalls, microseconds - earlierMicroseconds));
            }
        }

        var all = Math.Max(1, used.Sum(command => command.Microseconds));
        return [.. used.OrderByDescending(command => command.Microseconds).ThenByDescending(command => command.Calls)
            .Take(most)
            .Select(command => (
                command.Name,
                command.Calls / Seconds,
                (double)command.Microseconds / command.Calls,
                Percentile(OfCommand(Now, command.Name), OfCommand(before, command.Name), 99),
                (double)command.Microseconds / all))];
    }

    /// <summary>The shards; none where they were not asked for.</summary>
    public IReadOnlyList<TopShard> Shards
    {
        get
        {
            // How much is on the disk alone is told of all together; of each it follows from its pages and their
            // memory.
            var cold = Now.Shards.ConvertAll(static shard => Math.Max(0, Part(shard, "pages")
                - Math.Round(Part(shard, "page_bytes") / Math.Max(1, Part(shard, "page_size_bytes")))));
            var onDisk = Now.Number("tier_cold_pages") > 0
                ? Math.Max(0, Now.Number("tier_used_bytes") - Now.Number("tier_clean_bytes")) / Math.Max(1, cold.Sum())
                : 0;
            var earlier = before.Shards.ToDictionary(shard => shard.Number, StringComparer.Ordinal);
            return [.. Now.Shards.Select((shard, i) => new TopShard(
                shard.Number,
                Part(shard, "live_bytes"),
                Part(shard, "garbage_bytes"),
                Math.Max(0, Part(shard, "page_bytes") - Part(shard, "live_bytes") - Part(shard, "garbage_bytes")),
                Part(shard, "retired_bytes"),
                cold[i] * onDisk,
                earlier.TryGetValue(shard.Number, out var then)
                    && Part(shard, "compacted_bytes") > Part(then, "compacted_bytes")))];
        }
    }

    private static double Part((string Number, string Fields) shard, string name)
        => TopSample.PartOf(shard.Fields, name);

    private static SortedDictionary<long, long> OfCommand(TopSample sample, string name)
        => sample.CommandLatencies.GetValueOrDefault(name) ?? [];

    private static double Percentile(
        SortedDictionary<long, long> now, SortedDictionary<long, long> earlier, double percentile)
    {
        var calls = (now.Count == 0 ? 0 : now.Values.Last()) - Below(earlier, long.MaxValue);
        if (calls <= 0)
        {
            return double.NaN;
        }

        var wanted = Math.Max(1, percentile / 100 * calls);
        foreach (var (bound, count) in now)
        {
            if (count - Below(earlier, bound) >= wanted)
            {
                return bound;
            }
        }

        return double.NaN;
    }

    private static long Below(SortedDictionary<long, long> counts, long bound)
    {
        var below = 0L;
        foreach (var (other, count) in counts)
        {
            if (other > bound)
            {
                break;
            }

            below = count;
        }

        return below;
    }
}
