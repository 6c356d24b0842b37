using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Metrics;
using Strata.Server.Reports;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>MEMORY MALLOC-STATS</summary>
internal static class MemoryMallocStats
{
    public static readonly CommandRow Row = new("malloc-stats", 2,
        CommandFlags.None, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Summary = "Shows the pages of every shard, and what .NET's garbage collector holds.",
        Differs = "Shows Strata's own memory, as INFO does, in place of jemalloc's statistics.",
        Complexity = "O(N) where N is the number of shards",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var source = MetricSource.Of(context.Services);
        var text = new InfoText();
        MemorySection.Write(text, source);
        ShardsSection.Write(text, source);
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes(text.ToString()));
    }
}
