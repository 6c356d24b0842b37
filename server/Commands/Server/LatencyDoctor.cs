using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>LATENCY DOCTOR</summary>
internal static class LatencyDoctor
{
    public static readonly CommandRow Row = new("doctor", 2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.8.13",
        IsReport = true,
        Summary = "Says in words what the samples show, and what to do.",
        Differs = "Other words.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var report = LatencyReport.Write(
            context.Services.Diagnostics.LatencyMonitor.All,
            context.Server.Configuration.Current,
            context.Clock.GetUtcNow().ToUnixTimeSeconds());
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes(report));
    }
}
