using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XCLAIM key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds] [RETRYCOUNT
/// count] [FORCE] [JUSTID] [LASTID lastid]</summary>
internal static class XClaim
{
    public static readonly CommandRow Row = new("xclaim", -6,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Makes pending entries those of another consumer.",
        Complexity = "O(log(N)) for each id, with N entries pending",
        Tips = ["nondeterministic_output"],
        Syntax = "key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds] "
            + "[RETRYCOUNT count] [FORCE] [JUSTID] [LASTID lastid]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !StreamAccess.TryEditGroup(context, out var stream, out var group)
            || !ClaimArguments.TryParse(context, out var claim))
        {
            return;
        }

        GroupRoom.AskForClaim(context, group, claim.Forces);
        var work = new ClaimWork(claim);
        var effortOfId = Claiming.LookEffort + StreamReply.EffortOfEntry(stream.Read());
        if (GroupPass<ClaimWork>.IsLong(
            context, (claim.End - ClaimArguments.FirstId) * effortOfId, GroupCopy.EffortOf(group)))
        {
            GroupPass<ClaimWork>.Begin(context, group: 2, work);
            return;
        }

        var entries = stream.Read();
        if ((claim.End - ClaimArguments.FirstId) * entries.EntryBytes > ServerLimits.FreeReplyBytes)
        {
            context.Reply.Ask(work.ReplyBytesIn(context, entries));
        }

        GroupWork.Do(context, context.Key, ref stream, group, ref work, context.Reply);
    }
}
