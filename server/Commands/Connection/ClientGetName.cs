using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT GETNAME</summary>
internal static class ClientGetName
{
    public static readonly CommandRow Row = new(
        "getname", 2, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "2.6.9",
        Summary = "Answers the connection's name.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Session.Name.Length == 0)
        {
            context.Reply.Null();
        }
        else
        {
            context.Reply.Bulk(context.Session.Name);
        }
    }
}
