using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT ID</summary>
internal static class ClientId
{
    public static readonly CommandRow Row = new(
        "id", 2, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "5.0.0",
        Summary = "Answers the connection's number.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context) => context.Reply.Integer(context.Session.Id);
}
