
namespace Strata.Server.Reports;

/// <summary>INFO memory. The allocator's fields of Redis have no counterpart: pages come from the system directly, and
/// what is unused inside them is under "log_".</summary>
internal static class MemorySection
{
    public static void Write(InfoText text, InfoSource source)
    {
        var memory = source.Memory;
        var options = source.Server.Configuration.Current;
        text.Section("Memory");
        text.Bytes("used_memory", memory.UsedBytes);
        text.Bytes("used_memory_rss", memory.ResidentBytes);
        text.Bytes("used_memory_peak", memory.PeakBytes);
        text.Field("used_memory_peak_perc", InfoText.Fixed(memory.PeakPercentage, 2) + "%");
        text.Field("used_memory_overhead", memory.OverheadBytes);
        text.Field("used_memory_startup", memory.StartupBytes);
        text.Field("used_memory_dataset", memory.DatasetBytes);
        text.Field("used_memory_dataset_perc", InfoText.Fixed(memory.DatasetPercentage, 2) + "%");
        text.Bytes("total_system_memory", memory.SystemBytes);
        text.Bytes("maxmemory", memory.LimitBytes);
        text.Field("maxmemory_policy", options.Values[Options.Keys.MemoryKeys.MaxMemoryPolicy]);
        text.Field("mem_fragmentation_ratio", memory.FragmentationRatio, 2);
        text.Field("mem_fragmentation_bytes", memory.ResidentBytes - memory.UsedBytes);
        text.Field("mem_allocator", "mmap");
        text.Field("index_bytes", memory.IndexBytes);
        text.Field("log_page_bytes", memory.PageBytes);
        text.Field("log_live_bytes", memory.LiveBytes);
        text.Field("log_garbage_bytes", memory.GarbageBytes);
        text.Field("log_retired_bytes", memory.RetiredBytes);
        text.Field("heap_bytes", memory.HeapBytes);
        text.Field("heap_used_bytes", memory.HeapUsedBytes);
        text.Field("gc_committed_bytes", memory.ManagedCommittedBytes);
        text.Field("gc_heap_bytes", memory.ManagedHeapBytes);
        text.Field("gc_collections", GC.CollectionCount(0));
    }
}
