using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>LATENCY GRAPH event</summary>
internal static class LatencyGraph
{
    public static readonly CommandRow Row = new("graph", 3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.8.13",
        IsReport = true,
        Summary = "Draws the samples of an event.",
        Differs = "Another drawing.",
        Complexity = "O(1)",
        Syntax = "event",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var name = Encoding.Latin1.GetString(context.Argument(2));
        if (context.Services.Diagnostics.LatencyMonitor.Find(name) is not { } series)
        {
            context.Reply.Error($"ERR No samples available for event '{name}'");
            return;
        }

        var graph = Diagnostics.LatencyGraph.Draw(series, context.Clock.GetUtcNow().ToUnixTimeSeconds());
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes(graph));
    }
}
