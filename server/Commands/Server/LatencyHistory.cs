using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>LATENCY HISTORY event</summary>
internal static class LatencyHistory
{
    public static readonly CommandRow Row = new("history", 3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.8.13",
        IsReport = true,
        Summary = "Shows the samples of an event: when, and how many milliseconds.",
        Complexity = "O(1)",
        Syntax = "event",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var series = context.Services.Diagnostics.LatencyMonitor.Find(Encoding.Latin1.GetString(context.Argument(2)));
        context.Reply.Array(series?.Samples.Count ?? 0);
        foreach (var (unixSeconds, milliseconds) in series?.Samples ?? [])
        {
            context.Reply.Array(2);
            context.Reply.Integer(unixSeconds);
            context.Reply.Integer(milliseconds);
        }
    }
}
