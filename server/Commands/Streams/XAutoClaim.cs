using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XAUTOCLAIM key group consumer min-idle-time start [COUNT count] [JUSTID]</summary>
internal static class XAutoClaim
{
    public static readonly CommandRow Row = new("xautoclaim", -6,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "6.2.0",
        Summary = "Makes pending entries that were given long ago those of another consumer.",
        Complexity = "O(N) for ten times as many entries as COUNT says, at most",
        Tips = ["nondeterministic_output"],
        Syntax = "key group consumer min-idle-time start [COUNT count] [JUSTID]",
    };

    private const long DefaultCount = 100;
    private const long MostCount = long.MaxValue / 16;

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !TryParse(context, out var arguments)
            || !StreamAccess.TryEditGroup(context, out var stream, out var group))
        {
            return;
        }

        GroupRoom.AskForClaim(context, group, adds: false);
        var work = new AutoClaimWork(arguments);
        var copied = GroupCopy.EffortOf(group);
        var effortOfEntry = StreamReply.EffortOfEntry(stream.Read());
        var most = GroupPass<AutoClaimWork>.MostAtOnce(context, copied);
        if (GroupPass<AutoClaimWork>.IsLong(
            context, work.EffortIn(group, context.ClockMs, effortOfEntry, most), copied))
        {
            GroupPass<AutoClaimWork>.Begin(context, group: 2, work);
            return;
        }

        var entries = stream.Read();
        if (entries.EntryBytes > ServerLimits.FreeReplyBytes)
        {
            context.Reply.Ask(work.ReplyBytesIn(entries, group, context.ClockMs));
        }

        try
        {
            GroupWork.Do(context, context.Key, ref stream, group, ref work, context.Reply);
        }
        finally
        {
            work.Dispose();
        }
    }

    private static bool TryParse(CommandContext context, out AutoClaimArguments arguments)
    {
        arguments = default;
        if (!StreamArguments.TryInteger(
                context, 4, "ERR Invalid min-idle-time argument for XAUTOCLAIM"u8, out var minIdleMs)
            || !IdRange.TryLowerEnd(context, 5, out var first))
        {
            return false;
        }

        var count = DefaultCount;
        var isJustId = false;
        for (var i = 6; i < context.Count; i++)
        {
            if (i + 1 < context.Count && context.IsWord(i, "count"u8))
            {
                if (!NumberParser.TryParseInt64(context.Argument(++i), out count) || count is < 1 or > MostCount)
                {
                    context.Reply.Error("ERR COUNT must be > 0"u8);
                    return false;
                }
            }
            else if (context.IsWord(i, "justid"u8))
            {
                isJustId = true;
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        arguments = new AutoClaimArguments(Math.Max(0, minIdleMs), first, count, isJustId);
        return true;
    }
}
