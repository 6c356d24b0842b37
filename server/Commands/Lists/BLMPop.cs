using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Lists;

/// <summary>BLMPOP timeout numkeys key [key ...] &lt;LEFT | RIGHT&gt; [COUNT count]</summary>
internal static class BLMPop
{
    public static readonly CommandRow Row = new("blmpop", -5,
        CommandFlags.Write | CommandFlags.Blocking | CommandFlags.MovableKeys,
        KeySpec.Counted(2, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        HoldsOneByOne = true,
        BytesPerName = Limits.BytesPerInterest,
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "7.0.0",
        Summary = "Gives and removes elements of the first of several lists that is there, or waits for one.",
        Complexity = "O(N+M) where N is the number of provided keys and M is the number of elements returned.",
        Syntax = "timeout numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
    };

    private static readonly PopAttempt<PopArguments> s_pop = ListAccess.PopFirst;

    private static void Execute(CommandContext context)
    {
        if (PopArguments.TryParse(context, 2, "left"u8, "right"u8, out var arguments)
            && BlockingTimeout.TryRead(context, 1, out var timeoutMs))
        {
            BlockingPop.Execute<PopArguments>(
                context,
                new(RecordType.List, arguments.FirstKey, arguments.KeyCount, timeoutMs, arguments, s_pop));
        }
    }
}
