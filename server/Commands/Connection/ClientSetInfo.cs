using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT SETINFO &lt;LIB-NAME libname | LIB-VER libver&gt;</summary>
internal static class ClientSetInfo
{
    public static readonly CommandRow Row = new(
        "setinfo", 4,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.HoldsMemory,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "7.2.0",
        Summary = "Names the client's library or its version, for CLIENT LIST.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Syntax = "<LIB-NAME libname | LIB-VER libver>",
    };

    private static void Execute(CommandContext context)
    {
        var isName = context.IsWord(2, "lib-name"u8);
        if (!isName && !context.IsWord(2, "lib-ver"u8))
        {
            context.Reply.Error($"ERR Unrecognized option '{Word(context)}'");
            return;
        }

        if (!ClientAttribute.TryRead(context.Argument(3), out var value))
        {
            context.Reply.Error(ClientAttribute.ErrorOf(Word(context), context.Argument(3)));
            return;
        }

        if (isName)
        {
            context.Session.LibraryName = value;
        }
        else
        {
            context.Session.LibraryVersion = value;
        }

        context.Reply.Ok();
    }

    private static string Word(CommandContext context) => EchoedArgument.Of(context.Argument(2));
}
