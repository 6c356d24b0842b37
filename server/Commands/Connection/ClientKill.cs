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

        var ask = (ClientWorker worker) => new Killing(worker, filter, self);
        self.AskWorkers(ask, static killing => killing.CloseSome(), (reply, killings) =>
        {
            var count = killings.Sum(static killing => killing.Count);
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

    /// <summary>Closes a worker's matching clients, but for the one that asks: some at a time, since each is a call of
    /// the kernel.</summary>
    private sealed class Killing
    {
        private readonly List<Session> _matching;
        private readonly Session _self;
        private int _next;

        public Killing(ClientWorker worker, ClientFilter filter, Session self)
        {
            _self = self;
            _matching = [.. worker.Sessions
                .Where(filter.Matches)
                .Where(session => session != self || !filter.SkipsSelf)];
        }

        /// <summary>How many match.</summary>
        public int Count => _matching.Count;

        /// <summary>Closes some more.</summary>
        /// <returns>Whether there are more yet.</returns>
        public bool CloseSome()
        {
            for (var end = Math.Min(_matching.Count, _next + ServerLimits.ClientsAtOnce); _next < end; _next++)
            {
                var session = _matching[_next];
                if (session != _self && !session.Connection.IsClosed)
                {
                    session.Connection.Close();
                }
            }

            return _next < _matching.Count;
        }
    }
}
