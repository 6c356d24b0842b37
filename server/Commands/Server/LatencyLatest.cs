using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>LATENCY LATEST</summary>
internal static class LatencyLatest
{
    public static readonly CommandRow Row = new("latest", 2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.8.13",
        IsReport = true,
        Summary = "Shows the newest sample of every event, and the longest it ever took.",
        Differs = "Knows the events command, fast-command, expire-cycle and eviction-cycle.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var all = context.Services.Diagnostics.LatencyMonitor.All;
        context.Reply.Array(all.Count);
        foreach (var series in all)
        {
            context.Reply.Array(4);
            context.Reply.Bulk(series.Event);
            context.Reply.Integer(series.Latest.UnixSeconds);
            context.Reply.Integer(series.Latest.Milliseconds);
            context.Reply.Integer(series.LongestMs);
        }
    }
}
