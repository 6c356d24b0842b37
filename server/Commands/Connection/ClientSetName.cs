using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT SETNAME connection-name</summary>
internal static class ClientSetName
{
    public static readonly CommandRow Row = new(
        "setname", 3,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.HoldsMemory,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "2.6.9",
        Summary = "Names the connection; an empty name takes the name away.",
        Differs = "A name has at most 16 KB.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Syntax = "connection-name",
    };

    private static void Execute(CommandContext context)
    {
        if (!ClientAttribute.TryRead(context.Argument(2), out var name))
        {
            context.Reply.Error(ClientAttribute.ErrorOf(ClientAttribute.ConnectionName, context.Argument(2)));
            return;
        }

        context.Session.Name = name;
        context.Reply.Ok();
    }
}
