using Strata.Server.Diagnostics;

namespace Strata.Server.Reports;

/// <summary>INFO memory. The allocator is Strata's own: active is what counts against <c>maxmemory</c>, allocated what
/// of that holds something (not dead records, slack, and what waits to be freed), resident what is in the machine's
/// memory apart from .NET's heap. More of it is under "log_", "heap_" and "gc_".</summary>
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
        text.Field("allocator_allocated", memory.AllocatedBytes);
        text.Field("allocator_active", memory.UsedBytes);
        text.Field("allocator_resident", memory.NativeResidentBytes);
        text.Field("allocator_muzzy", 0);
        text.Bytes("total_system_memory", memory.SystemBytes);
        WriteScripts(text, source);
        text.Bytes("maxmemory", memory.LimitBytes);
        text.Field("maxmemory_policy", options.Values[Options.Keys.MemoryKeys.MaxMemoryPolicy]);
        WriteFragmentation(text, memory);
        text.Zeros(
            "mem_not_counted_for_evict",
            "mem_replication_backlog",
            "mem_total_replication_buffers",
            "mem_clients_slaves");
        text.Field("mem_clients_normal", source.Services.Workers.Sum(worker => worker.ClientMemory.TotalBytes));
        text.Zeros("mem_cluster_links", "mem_aof_buffer");
        text.Field("mem_allocator", "mmap");
        text.Zeros("mem_overhead_db_hashtable_rehashing", "active_defrag_running");
        text.Field("lazyfree_pending_objects", memory.DoomedCollections);
        text.Field("lazyfreed_objects", source.Totals[ServerCounter.FreedCollections]);
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

    /// <summary>The workers' states of Lua, and what EVALSHA and FCALL find.</summary>
    private static void WriteScripts(InfoText text, InfoSource source)
    {
        var (scripts, scriptBytes) = source.Services.Scripts.Cache.Size;
        var libraries = source.Services.Scripts.Functions.Current;
        var evalBytes = source.Services.Workers.Sum(worker => worker.Scripts.StateBytes);
        var functionBytes = source.Services.Workers.Sum(worker => worker.Functions.StateBytes);
        text.Field("used_memory_lua", evalBytes);
        text.Field("used_memory_vm_eval", evalBytes);
        text.Field("used_memory_lua_human", InfoText.Human(evalBytes));
        text.Field("used_memory_scripts_eval", scriptBytes);
        text.Field("number_of_cached_scripts", scripts);
        text.Field("number_of_functions", libraries.FunctionCount);
        text.Field("number_of_libraries", libraries.Count);
        text.Field("used_memory_vm_functions", functionBytes);
        text.Bytes("used_memory_vm_total", evalBytes + functionBytes);
        text.Field("used_memory_functions", libraries.MemoryBytes);
        text.Bytes("used_memory_scripts", scriptBytes + libraries.MemoryBytes);
    }

    /// <summary>Within what is used, within what is in the machine's memory of it, and the runtime's own.</summary>
    private static void WriteFragmentation(InfoText text, MemoryOverview memory)
    {
        WriteOverhead(text, "allocator_frag", memory.UsedBytes, memory.AllocatedBytes);
        WriteOverhead(text, "allocator_rss", memory.NativeResidentBytes, memory.UsedBytes);
        WriteOverhead(text, "rss_overhead", memory.ResidentBytes, memory.NativeResidentBytes);
        WriteOverhead(text, "mem_fragmentation", memory.ResidentBytes, memory.UsedBytes);
    }

    private static void WriteOverhead(InfoText text, string name, long bytes, long ofBytes)
    {
        text.Field(name + "_ratio", (double)bytes / ofBytes, 2);
        text.Field(name + "_bytes", bytes - ofBytes);
    }
}
