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

    internal void Subtract(CommandTotals earlier)
    {
        Calls -= earlier.Calls;
        Nanoseconds -= earlier.Nanoseconds;
        Rejected -= earlier.Rejected;
        Failed -= earlier.Failed;
        Add(earlier.Histogram, -1);
    }

    private void Add(long[]? histogram, int sign)
    {
        for (var bucket = 0; bucket < histogram?.Length; bucket++)
        {
            Histogram[bucket] += sign * histogram[bucket];
        }
    }
}
