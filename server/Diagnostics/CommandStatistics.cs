using Strata.Server.Commands.Model;

namespace Strata.Server.Diagnostics;

/// <summary>What one worker counts of commands, by row. Written by the worker alone; any thread may read it and gets
/// numbers that are a moment old.</summary>
public sealed class CommandStatistics
{
    private readonly Entry[] _entries;

    internal CommandStatistics(CommandTable commands)
    {
        _entries = new Entry[commands.IndexEnd];
    }

    /// <summary>Commands executed.</summary>
    public long Commands { get; private set; }

    /// <summary>Reads that found their key.</summary>
    public long Hits { get; private set; }

    /// <summary>Reads that did not.</summary>
    public long Misses { get; private set; }

    /// <summary>Wrong passwords.</summary>
    public long AuthenticationsDenied { get; internal set; }

    /// <summary>Commands refused to their users.</summary>
    public long CommandsDenied { get; internal set; }

    /// <summary>Commands refused because of a key.</summary>
    public long KeysDenied { get; internal set; }

    /// <summary>Commands refused because of a channel.</summary>
    public long ChannelsDenied { get; internal set; }

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
            (entry.Histogram ?? AddHistogram(entry))[LatencyHistogram.BucketOf(nanoseconds)] += calls;
        }
    }

    /// <summary>Counts commands refused before they were executed.</summary>
    public void CountRejected(CommandRow row, int calls = 1) => (_entries[row.Index] ?? Add(row)).Rejected += calls;

    /// <summary>Counts executed commands that answered an error.</summary>
    public void CountFailed(CommandRow row, int calls = 1) => (_entries[row.Index] ?? Add(row)).Failed += calls;

    /// <summary>Takes over and clears what a context counted.</summary>
    public void CountLookups(CommandContext context)
    {
        Hits += context.Hits;
        Misses += context.Misses;
        context.Hits = 0;
        context.Misses = 0;
    }

    private Entry Add(CommandRow row)
    {
        var entry = new Entry();
        Volatile.Write(ref _entries[row.Index], entry);
        return entry;
    }

    private static long[] AddHistogram(Entry entry)
    {
        var histogram = new long[LatencyHistogram.Buckets];
        entry.Histogram = histogram;
        return histogram;
    }

    /// <summary>The counters of one command.</summary>
    public sealed class Entry
    {
        public long Calls { get; internal set; }

        public long Nanoseconds { get; internal set; }

        public long Rejected { get; internal set; }

        public long Failed { get; internal set; }

        /// <summary>Calls by latency (<see cref="LatencyHistogram"/>); null while none was tracked.</summary>
        public long[]? Histogram { get; internal set; }
    }
}
