using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Metrics;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>MEMORY STATS: Redis's fields, with the figures of INFO memory, and after them those of Strata's own memory.
/// </summary>
internal static class MemoryStats
{
    public static readonly CommandRow Row = new("stats", 2,
        CommandFlags.None, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        IsReport = true,
        Summary = "Shows where the memory is.",
        Differs = "Has fields of Strata's own memory after those of Redis.",
        Complexity = "O(N) where N is the number of shards",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    };

    private static readonly Field[] s_beforeDatabases =
    [
        new("peak.allocated", static source => source.Memory.PeakBytes),
        new("total.allocated", static source => source.Memory.UsedBytes),
        new("startup.allocated", static source => source.Memory.StartupBytes),
        new("replication.backlog", static _ => 0),
        new("clients.slaves", static _ => 0),
        new("clients.normal", static source => MemoryMetrics.Clients.Value!(source)),
        new("cluster.links", static _ => 0),
        new("aof.buffer", static _ => 0),
        new("lua.caches", static source => source.Services.Scripts.Cache.Size.Bytes),
        new("functions.caches", static source => source.Services.Scripts.Functions.Current.MemoryBytes),
    ];

    private static readonly Field[] s_afterDatabases =
    [
        new("overhead.total", static source => source.Memory.OverheadBytes),
        new("keys.count", static source => source.Memory.Keys),
        new("keys.bytes-per-key", static source => BytesPerKey(source.Memory)),
        new("dataset.bytes", static source => source.Memory.DatasetBytes),
        new("dataset.percentage", static source => source.Memory.DatasetPercentage, IsRatio: true),
        new("peak.percentage", static source => source.Memory.PeakPercentage, IsRatio: true),
        new("allocator.allocated", static source => source.Memory.AllocatedBytes),
        new("allocator.active", static source => source.Memory.UsedBytes),
        new("allocator.resident", static source => source.Memory.NativeResidentBytes),
        .. Excess("allocator-fragmentation", static memory => (memory.UsedBytes, memory.AllocatedBytes)),
        .. Excess("allocator-rss", static memory => (memory.NativeResidentBytes, memory.UsedBytes)),
        .. Excess("rss-overhead", static memory => (memory.ResidentBytes, memory.NativeResidentBytes)),
        new("fragmentation", static source => source.Memory.FragmentationRatio, IsRatio: true),
        new("fragmentation.bytes", static source => source.Memory.ResidentBytes - source.Memory.UsedBytes),
        new("index.bytes", static source => source.Memory.IndexBytes),
        new("log.page-bytes", static source => source.Memory.PageBytes),
        new("log.live-bytes", static source => source.Memory.LiveBytes),
        new("log.garbage-bytes", static source => source.Memory.GarbageBytes),
        new("log.retired-bytes", static source => source.Memory.RetiredBytes),
        new("heap.bytes", static source => source.Memory.HeapBytes),
        new("heap.used-bytes", static source => source.Memory.HeapUsedBytes),
        new("resident.bytes", static source => source.Memory.ResidentBytes),
        new("gc.committed-bytes", static source => source.Memory.ManagedCommittedBytes),
        new("gc.heap-bytes", static source => source.Memory.ManagedHeapBytes),
    ];

    private static void Execute(CommandContext context)
    {
        var source = MetricSource.Of(context.Services);
        var reply = context.Reply;
        reply.Map(s_beforeDatabases.Length + source.Databases.Count + s_afterDatabases.Length);
        Write(reply, s_beforeDatabases, source);
        foreach (var database in source.Databases)
        {
            // The index is one of all databases, and has the expiries: its memory is told by their shares of the keys.
            reply.Bulk($"db.{database.Database}");
            reply.Map(3);
            reply.Bulk("overhead.hashtable.main");
            reply.Integer(source.Memory.IndexBytes * database.Keys / Math.Max(1, source.Memory.Keys));
            reply.Bulk("overhead.hashtable.expires");
            reply.Integer(0);
            reply.Bulk("overhead.hashtable.slot-to-keys");
            reply.Integer(0);
        }

        Write(reply, s_afterDatabases, source);
    }

    private static void Write(ReplyWriter reply, Field[] fields, MetricSource source)
    {
        foreach (var field in fields)
        {
            reply.Bulk(field.Name);
            if (field.IsRatio)
            {
                reply.Double(field.Value(source));
            }
            else
            {
                reply.Integer((long)field.Value(source));
            }
        }
    }

    private static double BytesPerKey(MemoryOverview memory)
        => memory.Keys > 0 ? (memory.UsedBytes - memory.StartupBytes) / memory.Keys : 0;

    /// <summary>How much more one is than the other, as a ratio and in bytes.</summary>
    private static Field[] Excess(string name, Func<MemoryOverview, (long Bytes, long OfBytes)> read) =>
    [
        new(name + ".ratio", source => read(source.Memory) is var (bytes, of) && of > 0 ? (double)bytes / of : 0, true),
        new(name + ".bytes", source => read(source.Memory) is var (bytes, of) ? bytes - of : 0),
    ];

    private sealed record Field(string Name, Func<MetricSource, double> Value, bool IsRatio = false);
}
