using Strata.Server.Diagnostics;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO memory. The allocator is Strata's own: active is what counts against <c>maxmemory</c>, allocated what
/// of that holds something (not dead records, slack, and what waits to be freed), resident what is in the machine's
/// memory apart from .NET's heap. More of it is under "log_", "heap_" and "gc_".</summary>
internal static class MemorySection
{
    public static void Write(InfoText text, MetricSource source)
    {
        var memory = source.Memory;
        var options = source.Server.Configuration.Current;
        text.Section("Memory");
        text.Bytes(MemoryMetrics.Used, source);
        text.Bytes(MemoryMetrics.Resident, source);
        text.Bytes(MemoryMetrics.Peak, source);
        text.Field("used_memory_peak_perc", InfoText.Fixed(memory.PeakPercentage, 2) + "%");
        text.Field("used_memory_overhead", memory.OverheadBytes);
        text.Field("used_memory_startup", memory.StartupBytes);
        text.Field("used_memory_dataset", memory.DatasetBytes);
        text.Field("used_memory_dataset_perc", InfoText.Fixed(memory.DatasetPercentage, 2) + "%");
        text.Field("allocator_allocated", memory.AllocatedBytes);
        text.Field("allocator_active", memory.UsedBytes);
        text.Field("allocator_resident", memory.NativeResidentBytes);
        text.Field("allocator_muzzy", 0);
        text.Bytes(MemoryMetrics.System, source);
        WriteScripts(text, source);
        text.Bytes(MemoryMetrics.Limit, source);
        text.Field("maxmemory_policy", options.Values[Options.Keys.MemoryKeys.MaxMemoryPolicy]);
        WriteFragmentation(text, memory);
        text.Zeros(
            "mem_not_counted_for_evict",
            "mem_replication_backlog",
            "mem_total_replication_buffers",
            "mem_clients_slaves");
        text.Field(MemoryMetrics.Clients, source);
        text.Zeros("mem_cluster_links", "mem_aof_buffer");
        text.Field("mem_allocator", "mmap");
        text.Zeros("mem_overhead_db_hashtable_rehashing", "active_defrag_running");
        text.Field("lazyfree_pending_objects", memory.DoomedCollections);
        text.Field("lazyfreed_objects", source.Totals[ServerCounter.FreedCollections]);
        text.Field(MemoryMetrics.Index, source);
        text.Field(MemoryMetrics.Pages, source);
        text.Field(MemoryMetrics.Live, source);
        text.Field(MemoryMetrics.Garbage, source);
        text.Field(MemoryMetrics.Retired, source);
        text.Field(MemoryMetrics.Heap, source);
        text.Field(MemoryMetrics.HeapUsed, source);
        text.Field(MemoryMetrics.Managed, source);
        text.Field(MemoryMetrics.ManagedHeap, source);
        text.Field(MemoryMetrics.Collections, source);
    }

    /// <summary>The workers' states of Lua, and what EVALSHA and FCALL find.</summary>
    private static void WriteScripts(InfoText text, MetricSource source)
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
