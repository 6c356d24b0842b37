using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Metrics;
using Strata.Server.Reports;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>MEMORY DOCTOR</summary>
internal static class MemoryDoctor
{
    public static readonly CommandRow Row = new("doctor", 2,
        CommandFlags.None, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        IsReport = true,
        Summary = "Says in words whether memory is used well, and what to do.",
        Differs = "Other words, about Strata's own memory.",
        Complexity = "O(N) where N is the number of shards",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var options = context.Server.Configuration.Current;
        var report = MemoryReport.Write(MemoryOverview.Of(context.Services), options.MaxMemoryPolicy);
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes(report));
    }
}
