using Strata.Server.Clients;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT PAUSE timeout [WRITE | ALL]</summary>
internal static class ClientPause
{
    public static readonly CommandRow Row = new(
        "pause",
        -3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "3.0.0",
        Summary = "Lets commands of all clients wait, or those that change something.",
        Differs = "Of keys and fields whose time has come, WATCH, EXEC and HRANDFIELD delete those they look at during "
            + "the pause, too.",
        Complexity = "O(1)",
        Syntax = "timeout [WRITE | ALL]",
    };

    private static void Execute(CommandContext context)
    {
        var onlyWrites = false;
        if (context.Count == 4)
        {
            onlyWrites = context.IsWord(3, "write"u8);
            if (!onlyWrites && !context.IsWord(3, "all"u8))
            {
                context.Reply.Error("ERR CLIENT PAUSE mode must be WRITE or ALL"u8);
                return;
            }
        }
        else if (context.Count > 4)
        {
            SubcommandSyntax.Refuse(context);
            return;
        }

        if (!BlockingTimeout.TryReadMilliseconds(context, 2, out var timeoutMs))
        {
            return;
        }

        var pause = new CommandPause(onlyWrites, context.NowMs + timeoutMs);
        context.Services.Gates.SetPause(pause, context.NowMs);
        ClientGates.AdoptEverywhere(context.Session);
    }
}
