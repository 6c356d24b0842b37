using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT UNBLOCK client-id [TIMEOUT | ERROR]</summary>
internal static class ClientUnblock
{
    public static readonly CommandRow Row = new(
        "unblock",
        -3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "5.0.0",
        Summary = "Ends a client's blocking command as if its timeout had come, or with an error.",
        Complexity = "O(log N) where N is the number of client connections",
        Syntax = "client-id [TIMEOUT | ERROR]",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 4)
        {
            SubcommandSyntax.Refuse(context);
        }
        else if (context.Count == 4 && !context.IsWord(3, "timeout"u8) && !context.IsWord(3, "error"u8))
        {
            context.Reply.Error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"u8);
        }
        else if (context.TryInteger(2, out var id))
        {
            var end = context.Count == 4 && context.IsWord(3, "error"u8) ? WaitEnd.Error : WaitEnd.Timeout;
            context.Session.AskWorkers(
                worker => TryUnblock(worker, id, end),
                (reply, unblocked) => reply.Integer(unblocked.Contains(true) ? 1 : 0));
        }
    }

    private static bool TryUnblock(ClientWorker worker, long id, WaitEnd end)
    {
        foreach (var session in worker.Sessions)
        {
            if (session.Id == id)
            {
                if (session.Blocked is not { End: WaitEnd.None } command)
                {
                    return false;
                }

                command.EndBy(end);
                return true;
            }
        }

        return false;
    }
}
