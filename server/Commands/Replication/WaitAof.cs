using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Replication;

/// <summary>WAITAOF numlocal numreplicas timeout</summary>
internal static class WaitAof
{
    public static readonly CommandRow Row = new("waitaof", 4, CommandFlags.Blocking, KeySpec.None, Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.Connection,
        Since = "7.2.0",
        Summary = "Waits until what was written is in the append-only file on the disk, here and on replicas.",
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

        Await(context, local > 0, replicas, timeoutMs);
    }

    /// <summary>Answers when the disk has what was changed by now, and the replicas have, of which there are none; or
    /// when the time is up.</summary>
    private static void Await(CommandContext context, bool isLocal, long replicas, long timeoutMs)
    {
        var session = context.Session;
        var durability = context.Server.Durability;
        var blocked = session.Blocked;
        var sequence = blocked?.AwaitedSequence ?? durability.Last;
        var isOn = context.Services.Journal.IsOn;

        // Where replies are to wait for the disk, it is answered when they do, and what follows is as durable.
        var isInForce = durability.IsAwaited
            || context.Server.Configuration.Current.AppendFsync != SyncPolicy.Always;
        var isDurable = isOn && isInForce && !context.Services.JournalFiles.IsUnlisted
            && durability.Durable >= sequence;
        if (blocked?.End == WaitEnd.Error)
        {
            context.Reply.Error(Errors.Unblocked);
        }
        else if (isLocal && !isOn && !context.Server.Configuration.Current.AppendOnly) // Else it is about to begin.
        {
            context.Reply.Error(
                "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled."u8);
        }
        else if ((replicas <= 0 && (!isLocal || isDurable)) || context.IsInTransaction
            || blocked?.End == WaitEnd.Timeout)
        {
            context.Reply.Array(2);
            context.Reply.Integer(isDurable ? 1 : 0);
            context.Reply.Integer(0);
        }
        else
        {
            if (blocked == null)
            {
                var deadlineMs = timeoutMs == 0 ? long.MaxValue : context.NowMs + timeoutMs;
                blocked = new BlockedCommand(session, deadlineMs) { AwaitedSequence = sequence };
            }

            session.WaitForDisk(); // It may have more to wait for than what has woken it: the journal's base.
            session.Block(blocked);
            return;
        }

        session.EndBlocked();
    }
}
