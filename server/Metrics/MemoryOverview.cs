using Strata.Server.Clients;
using Strata.Storage.Memory;
using Strata.Storage.Tiering;

namespace Strata.Server.Metrics;

/// <summary>Where the memory is, in bytes, for INFO memory and MEMORY STATS and DOCTOR. "Used" is what counts against
/// <c>maxmemory</c>: index, log pages, large collections and connection buffers.</summary>
public sealed record MemoryOverview
{
    /// <summary>What counts against <c>maxmemory</c>.</summary>
    public long UsedBytes { get; internal init; }

    /// <summary>The most that ever was.</summary>
    public long PeakBytes { get; internal init; }

    /// <summary>What was used before the first key.</summary>
    public long StartupBytes { get; internal init; }

    /// <summary>The limit; 0 is none.</summary>
    public long LimitBytes { get; internal init; }

    /// <summary>The hash indexes.</summary>
    public long IndexBytes { get; internal init; }

    /// <summary>Pages of the record logs in use.</summary>
    public long PageBytes { get; internal init; }

    /// <summary>Records that are live, without the slack behind their values.</summary>
    public long LiveBytes { get; internal init; }

    /// <summary>Dead records and slack in pages.</summary>
    public long GarbageBytes { get; internal init; }

    /// <summary>Emptied pages that wait for the last reader to move on.</summary>
    public long RetiredBytes { get; internal init; }

    /// <summary>Large collections: slabs and blocks, in use or not yet given back.</summary>
    public long HeapBytes { get; internal init; }

    /// <summary>What of that large collections use.</summary>
    public long HeapUsedBytes { get; internal init; }

    /// <summary>Large collections that are given up and not freed yet.</summary>
    public long DoomedCollections { get; internal init; }

    /// <summary>What is used without holes in it: dead records and slack, emptied pages, free blocks.</summary>
    public long AllocatedBytes => UsedBytes - GarbageBytes - RetiredBytes - (HeapBytes - HeapUsedBytes);

    /// <summary>What is on disk; null where all data stays in memory.</summary>
    public TierOverview? Tier { get; internal init; }

    /// <summary>The errno that keeps data from being written to the disk; 0 for none.</summary>
    public int TierFailure { get; internal init; }

    /// <summary>What the process holds apart from .NET's heap.</summary>
    public long NativeResidentBytes => Math.Max(0, ResidentBytes - ManagedCommittedBytes);

    /// <summary>Keys of all databases.</summary>
    public long Keys { get; internal init; }

    /// <summary>What the system says the process holds.</summary>
    public long ResidentBytes { get; internal init; }

    /// <summary>What .NET's garbage collector holds from the system.</summary>
    public long ManagedCommittedBytes { get; internal init; }

    /// <summary>Objects on .NET's heap as of its last collection, and what was allocated since.</summary>
    public long ManagedHeapBytes { get; internal init; }

    /// <summary>What the machine, or the container, has.</summary>
    public long SystemBytes { get; internal init; }

    /// <summary>All that is used but the log and the collections: index and buffers.</summary>
    public long OverheadBytes => Math.Max(0, UsedBytes - PageBytes - RetiredBytes - HeapBytes);

    /// <summary>What the keys take: all that is used but the overhead.</summary>
    public long DatasetBytes => UsedBytes - OverheadBytes;

    /// <summary>The data set's share of what came after the start, per cent.</summary>
    public double DatasetPercentage
        => UsedBytes > StartupBytes ? Math.Min(100, 100.0 * DatasetBytes / (UsedBytes - StartupBytes)) : 0;

    /// <summary>Used now as a share of the peak, per cent.</summary>
    public double PeakPercentage => PeakBytes > 0 ? 100.0 * UsedBytes / PeakBytes : 0;

    /// <summary>What the process holds for each byte used.</summary>
    public double FragmentationRatio => UsedBytes > 0 ? (double)ResidentBytes / UsedBytes : 0;

    /// <summary>Adds up the shards' and the process's numbers.</summary>
    public static MemoryOverview Of(ServerServices services)
    {
        var (index, pages, live, garbage, retired, keys) = (0L, 0L, 0L, 0L, 0L, 0L);
        var (heap, heapUsed, doomed) = (0L, 0L, 0L);
        foreach (var shard in services.Context.Shards.All)
        {
            index += shard.Index.SizeBytes;
            pages += shard.Log.PageMemoryBytes;
            live += shard.Log.LiveBytes;
            garbage += shard.Log.GarbageBytes;
            retired += shard.Log.RetiredBytes;
            heap += shard.Collections.Heap.SizeBytes;
            heapUsed += shard.Collections.Heap.UsedBytes;
            doomed += shard.Collections.Doomed;
            keys += shard.Index.Count;
        }

        var budget = services.Context.Shards.Budget;
        var tier = services.Context.Shards.Tier;
        var collector = GC.GetGCMemoryInfo(GCKind.Any);
        return new MemoryOverview
        {
            UsedBytes = budget.UsedBytes,
            PeakBytes = budget.PeakBytes,
            StartupBytes = services.Diagnostics.StartupBytes,
            LimitBytes = budget.LimitBytes,
            IndexBytes = index,
            PageBytes = pages,
            LiveBytes = live,
            GarbageBytes = garbage,
            RetiredBytes = retired,
            HeapBytes = heap,
            HeapUsedBytes = heapUsed,
            DoomedCollections = doomed,
            Keys = keys,
            Tier = tier == null ? null : TierOverview.Of(tier),
            TierFailure = tier?.Failure ?? 0,
            ResidentBytes = ResidentMemory.AllBytes,
            ManagedCommittedBytes = collector.TotalCommittedBytes,
            ManagedHeapBytes = GC.GetTotalMemory(forceFullCollection: false),
            SystemBytes = collector.TotalAvailableMemoryBytes,
        };
    }
}
