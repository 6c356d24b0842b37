using Strata.Server.Commands.Model;

namespace Strata.Server.Diagnostics;

/// <summary>What all workers together counted of one command.</summary>
public sealed class CommandTotals
{
    /// <summary>Nothing counted yet.</summary>
    public CommandTotals(CommandRow row)
    {
        Row = row;
    }

    public CommandRow Row { get; }

    public long Calls { get; private set; }

    public long Nanoseconds { get; private set; }

    /// <summary>Refused before execution.</summary>
    public long Rejected { get; private set; }

    /// <summary>Executed, with an error for an answer.</summary>
    public long Failed { get; private set; }

    /// <summary>Calls by latency (<see cref="LatencyHistogram"/>).</summary>
    public long[] Histogram { get; } = new long[LatencyHistogram.Buckets];

    /// <summary>Whether anything was counted.</summary>
    public bool IsUsed => Calls != 0 || Rejected != 0 || Failed != 0;

    /// <summary>Whether latencies were tracked.</summary>
    public bool HasHistogram => Histogram.AsSpan().ContainsAnyExcept(0);

    internal void Add(CommandStatistics.Entry entry)
    {
        Calls += entry.Calls;
        Nanoseconds += entry.Nanoseconds;
        Rejected += entry.Rejected;
        Failed += entry.Failed;
        Add(entry.Histogram, 1);
    }

    /// <summary>Nothing counted.</summary>
    internal void Clear()
    {
        (Calls, Nanoseconds, Rejected, Failed) = (0, 0, 0, 0);
        Array.Clear(Histogram);
    }

    /// <summary>What was counted since an earlier moment, by which nothing may have been.</summary>
    internal CommandTotals Since(CommandTotals? earlier)
    {
        var since = new CommandTotals(Row);
        since.Add(this, 1);
        if (earlier != null)
        {
            since.Subtract(earlier);
        }

        return since;
    }

    internal void Subtract(CommandTotals earlier) => Add(earlier, -1);

    private void Add(CommandTotals other, int sign)
    {
        Calls += sign * other.Calls;
        Nanoseconds += sign * other.Nanoseconds;
        Rejected += sign * other.Rejected;
        Failed += sign * other.Failed;
        Add(other.Histogram, sign);
    }

    private void Add(long[]? histogram, int sign)
    {
        for (var bucket = 0; bucket < histogram?.Length; bucket++)
        {
            Histogram[bucket] += sign * histogram[bucket];
        }
    }
}
