using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>LATENCY RESET [event [event ...]]</summary>
internal static class LatencyReset
{
    public static readonly CommandRow Row = new("reset", -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Summary = "Forgets the samples of the named events, or of all.",
        Complexity = "O(1)",
        Syntax = "[event [event ...]]",
        Tips = ["request_policy:all_nodes", "response_policy:agg_sum"],
    };

    private static void Execute(CommandContext context)
    {
        var monitor = context.Services.Diagnostics.LatencyMonitor;
        var forgotten = context.Count == 2 ? monitor.Reset() : 0;
        for (var i = 2; i < context.Count; i++)
        {
            forgotten += monitor.Reset(Encoding.Latin1.GetString(context.Argument(i)));
        }

        context.Reply.Integer(forgotten);
    }
}
