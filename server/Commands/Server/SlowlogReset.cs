using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>SLOWLOG RESET</summary>
internal static class SlowlogReset
{
    public static readonly CommandRow Row = new("reset", 2,
        CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Summary = "Empties the slow log.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        context.Services.Diagnostics.SlowLog.Reset();
        context.Reply.Ok();
    }
}
