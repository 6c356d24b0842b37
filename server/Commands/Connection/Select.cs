using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>SELECT index</summary>
internal static class Select
{
    public static readonly CommandRow Row = new(
        "select", 2, CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "1.0.0",
        Summary = "Changes the database that the connection's commands work on.",
        Complexity = "O(1)",
        Syntax = "index",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(1, out var index))
        {
            return;
        }

        if (index is < int.MinValue or > int.MaxValue)
        {
            context.Reply.Error("ERR value is out of range, value must between -2147483648 and 2147483647"u8);
        }
        else if (index < 0 || index >= context.Server.Databases.Count)
        {
            context.Reply.Error(Errors.DatabaseOutOfRange);
        }
        else
        {
            context.Session.Database = (int)index;
            context.Reply.Ok();
        }
    }
}
