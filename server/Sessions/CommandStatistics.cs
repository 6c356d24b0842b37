using System.Numerics;
using Strata.Server.Commands;

namespace Strata.Server.Sessions;

/// <summary>What one worker counts of commands, by row. Written by the worker alone; any thread may read it and gets
/// numbers that are a moment old.</summary>
public sealed class CommandStatistics
{
    /// <summary>Latency buckets: bucket i counts calls that took from 2^i to 2^(i+1) - 1 nanoseconds.</summary>
    public const int HistogramBuckets = 40;

    private readonly Entry[] _entries = new Entry[CommandList.RowCount];

    /// <summary>Commands executed.</summary>
    public long Commands { get; private set; }

    /// <summary>Reads that found their key.</summary>
    public long Hits { get; private set; }

    /// <summary>Reads that did not.</summary>
    public long Misses { get; private set; }

    /// <summary>Error replies.</summary>
    public long Errors { get; set; }

    /// <summary>The counters of a row; null while it was never called.</summary>
    public Entry? Of(CommandRow row) => Volatile.Read(ref _entries[row.Index]);

    /// <summary>Counts <paramref name="calls"/> executions that took <paramref name="nanoseconds"/> each.</summary>
    public void Count(CommandRow row, long calls, long nanoseconds, bool trackLatency)
    {
        var entry = _entries[row.Index] ?? Add(row);
        entry.Calls += calls;
        entry.Nanoseconds += calls * nanoseconds;
        Commands += calls;
        if (trackLatency)
        {
            entry.Histogram[Math.Min(BitOperations.Log2((ulong)nanoseconds | 1), HistogramBuckets - 1)] += calls;
        }
    }

    /// <summary>Counts a command refused before it was executed.</summary>
    public void CountRejected(CommandRow row) => (_entries[row.Index] ?? Add(row)).Rejected++;

    /// <summary>Counts an executed command that answered an error.</summary>
    public void CountFailed(CommandRow row) => (_entries[row.Index] ?? Add(row)).Failed++;

    /// <summary>Takes over and clears what a context counted.</summary>
    public void CountLookups(CommandContext context)
    {
        Hits += context.Hits;
        Misses += context.Misses;
        context.Hits = 0;
        context.Misses = 0;
    }

    /// <summary>Forgets everything (CONFIG RESETSTAT).</summary>
    public void Reset()
    {
        Array.Clear(_entries);
        Commands = 0;
        Hits = 0;
        Misses = 0;
        Errors = 0;
    }

    private Entry Add(CommandRow row)
    {
        var entry = new Entry();
        Volatile.Write(ref _entries[row.Index], entry);
        return entry;
    }

    /// <summary>The counters of one command.</summary>
    public sealed class Entry
    {
        public long Calls { get; internal set; }

        public long Nanoseconds { get; internal set; }

        public long Rejected { get; internal set; }

        public long Failed { get; internal set; }

        /// <summary>Calls by latency (<see cref="HistogramBuckets"/>).</summary>
        public long[] Histogram { get; } = new long[HistogramBuckets];
    }
}
