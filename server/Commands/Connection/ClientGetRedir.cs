using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT GETREDIR</summary>
internal static class ClientGetRedir
{
    public static readonly CommandRow Row = new(
        "getredir", 2, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.0.0",
        Summary = "Tells which client is told of changes in this one's place: 0 for none, -1 if nothing is tracked.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
        => context.Reply.Integer(context.Session.Tracking?.Redirection ?? -1);
}
