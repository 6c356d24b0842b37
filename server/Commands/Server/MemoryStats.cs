using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Metrics;

namespace Strata.Server.Commands.Server;

/// <summary>MEMORY STATS</summary>
internal static class MemoryStats
{
    public static readonly CommandRow Row = new("stats", 2,
        CommandFlags.None, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        IsReport = true,
        Summary = "Shows where the memory is.",
        Differs = "Has fields of Strata's own memory in place of those of Redis's allocator, buffers and caches.",
        Complexity = "O(N) where N is the number of shards",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var memory = MemoryOverview.Of(context.Services);
        var fields = new (string Name, double Value, bool IsRatio)[]
        {
            ("peak.allocated", memory.PeakBytes, false),
            ("total.allocated", memory.UsedBytes, false),
            ("startup.allocated", memory.StartupBytes, false),
            ("overhead.total", memory.OverheadBytes, false),
            ("keys.count", memory.Keys, false),
            ("keys.bytes-per-key",
                memory.Keys > 0 ? (memory.UsedBytes - memory.StartupBytes) / memory.Keys : 0, false),
            ("dataset.bytes", memory.DatasetBytes, false),
            ("dataset.percentage", memory.DatasetPercentage, true),
            ("peak.percentage", memory.PeakPercentage, true),
            ("index.bytes", memory.IndexBytes, false),
            ("log.page-bytes", memory.PageBytes, false),
            ("log.live-bytes", memory.LiveBytes, false),
            ("log.garbage-bytes", memory.GarbageBytes, false),
            ("log.retired-bytes", memory.RetiredBytes, false),
            ("heap.bytes", memory.HeapBytes, false),
            ("heap.used-bytes", memory.HeapUsedBytes, false),
            ("resident.bytes", memory.ResidentBytes, false),
            ("gc.committed-bytes", memory.ManagedCommittedBytes, false),
            ("gc.heap-bytes", memory.ManagedHeapBytes, false),
            ("fragmentation", memory.FragmentationRatio, true),
            ("fragmentation.bytes", memory.ResidentBytes - memory.UsedBytes, false),
        };
        context.Reply.Map(fields.Length);
        foreach (var (name, value, isRatio) in fields)
        {
            context.Reply.Bulk(name);
            if (isRatio)
            {
                context.Reply.Double(value);
            }
            else
            {
                context.Reply.Integer((long)value);
            }
        }
    }
}
