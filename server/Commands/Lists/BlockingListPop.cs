using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Lists;

/// <summary>What BLPOP and BRPOP do.</summary>
internal static class BlockingListPop
{
    private static readonly PopAttempt<ListEnd> s_pop = Pop;

    /// <summary>Pops from the first list that is there, or waits for one.</summary>
    public static void Execute(CommandContext context, ListEnd end)
    {
        if (BlockingTimeout.TryRead(context, context.Count - 1, out var timeoutMs))
        {
            BlockingPop.Execute<ListEnd>(context, new(RecordType.List, 1, context.Count - 2, timeoutMs, end, s_pop));
        }
    }

    private static Lookup Pop(CommandContext context, in Key key, in ListEnd end)
    {
        var lookup = ListAccess.Edit(context, key, out var list);
        if (lookup == Lookup.Found)
        {
            context.Reply.Array(2);
            context.Reply.Bulk(key.Span);
            ListAccess.Pop(context, ref list, end);
            context.Effects?.Tell(ListAccess.PopVerb(end), key.Span);
        }

        return lookup;
    }
}
