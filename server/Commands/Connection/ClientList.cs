using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT LIST [TYPE type] [ID id [id ...]]</summary>
internal static class ClientList
{
    public static readonly CommandRow Row = new(
        "list",
        -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "2.4.0",
        Summary = "Describes the connections, one a line.",
        Differs = ClientDescription.Differs,
        Complexity = "O(N) where N is the number of client connections",
        Tips = ["nondeterministic_output"],
        Syntax = "[TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [ID client-id [client-id ...]]",
    };

    private static void Execute(CommandContext context)
    {
        List<long>? ids = null;
        ClientType? type = null;
        if (context.Count == 4 && context.IsWord(2, "type"u8))
        {
            if (!ClientTypes.TryRead(context, 3, out var wanted))
            {
                return;
            }

            type = wanted;
        }
        else if (context.Count > 3 && context.IsWord(2, "id"u8))
        {
            if (!TryReadIds(context, out ids))
            {
                return;
            }
        }
        else if (context.Count != 2)
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        var (self, argumentBytes, wantedIds) = (context.Session, context.Request.ArgumentBytes, ids?.ToHashSet());
        self.AskWorkers(
            worker => new ClientLines(worker, type, wantedIds, self, argumentBytes),
            static lines => lines.DescribeSome(),
            (reply, lines) => reply.Verbatim("txt"u8, Order(lines, ids)));
    }

    private static bool TryReadIds(CommandContext context, out List<long> ids)
    {
        ids = [];
        for (var i = 3; i < context.Count; i++)
        {
            if (!NumberParser.TryParseInt64(context.Argument(i), out var id))
            {
                context.Reply.Error("ERR Invalid client ID"u8);
                return false;
            }

            ids.Add(id);
        }

        return true;
    }

    /// <summary>The lines, oldest client first; of clients asked for by id, in the order and as often as asked for.
    /// They are not put together: thousands of them would make one large object of each reply.</summary>
    private static List<byte[]> Order(IReadOnlyList<ClientLines> clients, List<long>? ids)
    {
        var lines = clients.SelectMany(ofWorker => ofWorker.Lines)
            .ToDictionary(client => client.Id, client => client.Line);
        var wanted = ids?.Where(lines.ContainsKey) ?? lines.Keys.Order();
        return [.. wanted.Select(id => lines[id])];
    }
}
