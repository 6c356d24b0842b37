using static Strata.Server.Metrics.Metric;

namespace Strata.Server.Metrics;

/// <summary>Where the memory is.</summary>
internal static class MemoryMetrics
{
    public static readonly Metric Used = Gauge(
        "memory_used_bytes", "What counts against maxmemory.", source => source.Memory.UsedBytes, "used_memory");

    public static readonly Metric Peak = Gauge(
        "memory_used_peak_bytes", "The most that ever was used.",
        source => source.Memory.PeakBytes,
        "used_memory_peak");

    public static readonly Metric Limit = Gauge(
        "memory_max_bytes", "The limit maxmemory; 0 is none.", source => source.Memory.LimitBytes, "maxmemory");

    public static readonly Metric Resident = Gauge(
        "memory_used_rss_bytes", "What the process holds of the machine's memory.",
        source => source.Memory.ResidentBytes,
        "used_memory_rss");

    public static readonly Metric System = Gauge(
        "total_system_memory_bytes", "What the machine, or the container, has.",
        source => source.Memory.SystemBytes,
        "total_system_memory");

    public static readonly Metric Fragmentation = Gauge(
        "mem_fragmentation_ratio", "What the process holds for each byte used.",
        source => source.Memory.FragmentationRatio);

    public static readonly Metric Index = Gauge(
        "memory_index_bytes", "The hash indexes.", source => source.Memory.IndexBytes, "index_bytes");

    public static readonly Metric Pages = Gauge(
        "memory_log_page_bytes", "Pages of records.", source => source.Memory.PageBytes, "log_page_bytes");

    public static readonly Metric Live = Gauge(
        "memory_log_live_bytes", "Records in them that are live.",
        source => source.Memory.LiveBytes,
        "log_live_bytes");

    public static readonly Metric Garbage = Gauge(
        "memory_log_garbage_bytes", "Dead records and slack in them.",
        source => source.Memory.GarbageBytes,
        "log_garbage_bytes");

    public static readonly Metric Retired = Gauge(
        "memory_log_retired_bytes", "Emptied pages that wait for the last reader to move on.",
        source => source.Memory.RetiredBytes,
        "log_retired_bytes");

    public static readonly Metric Heap = Gauge(
        "memory_heap_bytes", "Large collections: slabs and blocks, in use or not yet given back.",
        source => source.Memory.HeapBytes,
        "heap_bytes");

    public static readonly Metric HeapUsed = Gauge(
        "memory_heap_used_bytes", "What of that large collections use.",
        source => source.Memory.HeapUsedBytes,
        "heap_used_bytes");

    public static readonly Metric Managed = Gauge(
        "memory_gc_committed_bytes", "What the runtime's garbage collector holds from the system.",
        source => source.Memory.ManagedCommittedBytes,
        "gc_committed_bytes");

    public static readonly Metric ManagedHeap = Gauge(
        "memory_gc_heap_bytes", "Objects on its heap.", source => source.Memory.ManagedHeapBytes, "gc_heap_bytes");

    public static readonly Metric Collections = Counter(
        "gc_collections", "Collections of the runtime's garbage.", _ => GC.CollectionCount(0), "gc_collections");

    public static readonly Metric Clients = Gauge(
        "memory_clients_bytes", "Buffers and state of the clients.",
        source => source.Services.Workers.Sum(worker => worker.ClientMemory.TotalBytes),
        "mem_clients_normal");

    /// <summary>All of them.</summary>
    public static readonly Metric[] All =
    [
        Used, Peak, Limit, Resident, System, Fragmentation, Index, Pages, Live, Garbage, Retired, Heap, HeapUsed,
        Managed, ManagedHeap, Collections, Clients,
    ];
}
