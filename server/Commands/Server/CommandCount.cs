using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>COMMAND COUNT</summary>
internal static class CommandCount
{
    public static readonly CommandRow Row = new("count", 2,
        CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        Summary = "Tells how many commands the server has.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context) => context.Reply.Integer(context.Services.Commands.Rows.Count);
}
