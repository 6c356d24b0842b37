using Strata.Server.Clients;
using Strata.Server.Clients.Costs;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Observation;

/// <summary>STRATA CLIENTS [BY NAME | ADDRESS | USER] [COUNT count]</summary>
internal static class StrataClients
{
    public static readonly CommandRow Row = new("clients", -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = StrataReports.Since,
        IsReport = true,
        Summary = "Shows what clients have cost, those that have gone as well, by who they are.",
        Complexity = "O(N) where N is the number of client connections",
        Syntax = "[BY NAME|ADDRESS|USER] [COUNT count]",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private const int Fields = 3;
    private const int FieldsOfCost = 10;
    private const int Digits = 4;

    private static void Execute(CommandContext context)
    {
        if (!TryParse(context, out var grouping, out var count))
        {
            return;
        }

        var services = context.Services;
        context.Session.AskWorkers(
            static worker => new CostRound(worker),
            static round => round.ChargeSome(),
            (reply, _) => Write(reply, new CostList(services.Costs, grouping), count));
    }

    private static void Write(ReplyWriter reply, CostList list, int count)
    {
        var total = Math.Max(1, list.Microseconds);
        reply.Map(Fields);
        reply.Bulk("microseconds"u8);
        reply.Integer((long)list.Microseconds);
        reply.Bulk("clients"u8);
        reply.Array(Math.Min(count, list.Sums.Count));
        for (var i = 0; i < Math.Min(count, list.Sums.Count); i++)
        {
            Write(reply, list.Sums[i], total);
        }

        reply.Bulk("others"u8);
        Write(reply, list.Others, total);
    }

    private static void Write(ReplyWriter reply, CostSum sum, double total)
    {
        reply.Map(FieldsOfCost);
        reply.Bulk("name"u8);
        reply.Bulk(sum.Owner.Name);
        reply.Bulk("lib-name"u8);
        reply.Bulk(sum.Owner.Library);
        reply.Bulk("address"u8);
        reply.Bulk(sum.Owner.Address);
        reply.Bulk("user"u8);
        reply.Bulk(sum.Owner.User);
        reply.Bulk("connections"u8);
        reply.Integer(sum.Connections);
        reply.Bulk("commands"u8);
        reply.Integer(sum.Commands);
        reply.Bulk("bytes-in"u8);
        reply.Integer(sum.BytesIn);
        reply.Bulk("bytes-out"u8);
        reply.Integer(sum.BytesOut);
        reply.Bulk("microseconds"u8);
        reply.Integer((long)sum.Microseconds);
        reply.Bulk("share"u8);
        reply.Double(Math.Round(sum.Microseconds / total, Digits));
    }

    private static bool TryParse(CommandContext context, out CostGrouping grouping, out int count)
    {
        (grouping, count) = (CostGrouping.Owner, TrafficLimits.OwnersTold);
        for (var i = 2; i < context.Count; i += 2)
        {
            if (i + 1 == context.Count)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (context.IsWord(i, "by"u8) && TryGrouping(context, i + 1, out grouping))
            {
                continue;
            }

            if (!context.IsWord(i, "count"u8))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (!PositiveArgument.TryReadCount(context, i + 1, out count))
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryGrouping(CommandContext context, int index, out CostGrouping grouping)
    {
        grouping = context.IsWord(index, "name"u8) ? CostGrouping.Name
            : context.IsWord(index, "address"u8) ? CostGrouping.Address
            : context.IsWord(index, "user"u8) ? CostGrouping.User
            : CostGrouping.Owner;
        return grouping != CostGrouping.Owner;
    }
}
