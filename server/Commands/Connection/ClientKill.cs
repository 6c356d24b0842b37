using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT KILL</summary>
internal static class ClientKill
{
    public static readonly CommandRow Row = new(
        "kill",
        -3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "2.4.0",
        Summary = "Closes connections.",
        Complexity = "O(N) where N is the number of client connections",
        Syntax = "<ip:port | <[ID client-id] | [TYPE <NORMAL | MASTER | SLAVE | REPLICA | PUBSUB>] | [USER username] | "
            + "[ADDR ip:port] | [LADDR ip:port] | [SKIPME <YES | NO>] | [MAXAGE maxage] ...>>",
    };

    private static void Execute(CommandContext context)
    {
        var self = context.Session;
        var isOldForm = context.Count == 3;
        ClientFilter filter;
        if (isOldForm)
        {
            filter = new ClientFilter { Address = Encoding.UTF8.GetString(context.Argument(2)), SkipsSelf = false };
        }
        else if (!ClientFilter.TryRead(context, 2, out filter))
        {
            return;
        }

        self.AskWorkers(worker => Kill(worker, filter, self), (reply, killed) =>
        {
            var count = killed.Sum();
            if (!isOldForm)
            {
                reply.Integer(count);
            }
            else if (count == 0)
            {
                reply.Error("ERR No such client"u8);
            }
            else
            {
                reply.Ok();
            }

            // The client that asks is closed last, once it has the answer.
            self.ClosesAfterReply |= !filter.SkipsSelf && filter.Matches(self);
        });
    }

    /// <summary>Closes a worker's matching clients, but for the one that asks.</summary>
    /// <returns>How many match.</returns>
    private static int Kill(ClientWorker worker, ClientFilter filter, Session self)
    {
        var matching = worker.Sessions
            .Where(filter.Matches)
            .Where(session => session != self || !filter.SkipsSelf)
            .ToList();
        foreach (var session in matching)
        {
            if (session != self)
            {
                session.Connection.Close();
            }
        }

        return matching.Count;
    }
}
