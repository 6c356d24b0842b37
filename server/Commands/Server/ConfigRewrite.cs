using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>CONFIG REWRITE</summary>
internal static class ConfigRewrite
{
    public static readonly CommandRow Row = new("rewrite", 2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.8.0",
        Summary = "Writes the configuration in force into the conf file of the start.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        if (context.Server.Configuration.TryRewrite(context.Services.Users.ToConfLines(), out var error))
        {
            context.Reply.Ok();
        }
        else
        {
            context.Reply.Error($"ERR {error}");
        }
    }
}
