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

    /// <summary>Microseconds that so many per cent of the calls did not exceed, to the next power of two, as servers
    /// tell them.</summary>
    public double Percentile(double percentile)
    {
        var calls = (Now.Latencies.Count == 0 ? 0 : Now.Latencies.Values.Last()) - Below(before, long.MaxValue);
        if (calls <= 0)
        {
            return double.NaN;
        }

        var wanted = Math.Max(1, percentile / 100 * calls);
        foreach (var (bound, count) in Now.Latencies)
        {
            if (count - Below(before, bound) >= wanted)
            {
                return bound;
            }
        }

        return double.NaN;
    }

    /// <summary>The commands that took most time: calls a second, microseconds of each in the mean, and the share of
    /// the time of all.</summary>
    public IReadOnlyList<(string Name, double CallsPerSecond, double Mean, double Share)> Commands(int most)
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
                (double)command.Microseconds / all))];
    }

    private static long Below(TopSample sample, long bound)
    {
        var below = 0L;
        foreach (var (other, count) in sample.Latencies)
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
