using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>CONFIG RESETSTAT</summary>
internal static class ConfigResetStat
{
    public static readonly CommandRow Row = new("resetstat", 2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Summary = "Sets the counters of INFO to zero.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        context.Services.Diagnostics.ResetStatistics();
        context.Reply.Ok();
    }
}
