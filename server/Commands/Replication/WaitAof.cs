using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Replication;

/// <summary>WAITAOF numlocal numreplicas timeout</summary>
internal static class WaitAof
{
    public static readonly CommandRow Row = new("waitaof", 4, CommandFlags.Blocking, KeySpec.None, Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.Connection,
        Since = "7.2.0",
        Summary = "Waits until what the client wrote is in append-only files: there are none, here or on replicas.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_shards", "response_policy:agg_min"],
        Syntax = "numlocal numreplicas timeout",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(1, out var local))
        {
            return;
        }

        if (local is < 0 or > 1)
        {
            context.Reply.Error("ERR value is out of range, value must between 0 and 1"u8);
            return;
        }

        if (!context.TryInteger(2, out var replicas))
        {
            return;
        }

        if (replicas < 0)
        {
            context.Reply.Error(Errors.NotPositive);
            return;
        }

        if (!BlockingTimeout.TryReadMilliseconds(context, 3, out var timeoutMs))
        {
            return;
        }

        if (local > 0)
        {
            context.Reply.Error(
                "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled."u8);
            return;
        }

        ReplicaWait.Execute(context, replicas, timeoutMs, Answer);
    }

    private static void Answer(ReplyWriter reply)
    {
        reply.Array(2);
        reply.Integer(0);
        reply.Integer(0);
    }
}
