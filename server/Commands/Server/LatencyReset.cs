using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>LATENCY RESET [event [event ...]]</summary>
internal static class LatencyReset
{
    // Bytes; there is no event with a longer name.
    private const int LongestEvent = 64;

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
        if (context.Count == 2)
        {
            context.Reply.Integer(context.Services.Diagnostics.LatencyMonitor.Reset());
            return;
        }

        NamesPass.Answer(
            context,
            2,
            static (context, index) => IsForgotten(context, context.Argument(index)),
            static (reply, count) => reply.Integer(count));
    }

    private static bool IsForgotten(CommandContext context, ReadOnlySpan<byte> name)
        => name.Length <= LongestEvent
            && context.Services.Diagnostics.LatencyMonitor.Reset(Encoding.Latin1.GetString(name)) > 0;
}
