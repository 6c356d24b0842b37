using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Index;

namespace Strata.Server.Commands.SortedSets;

/// <summary>Takes the lowest or the highest elements out of sets: ZPOPMIN, ZPOPMAX, ZMPOP and their blocking forms.
/// </summary>
internal static class SortedSetPop
{
    private const int CountIndex = 2;

    /// <summary>ZPOPMIN and ZPOPMAX: <c>key [count]</c>.</summary>
    public static void Execute(CommandContext context, bool isMax)
    {
        if (KeyPass.TryGoOn(context))
        {
            return;
        }

        if (context.Count > CountIndex + 1)
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        var hasCount = context.Count > CountIndex;
        var count = 1L;
        if (hasCount && (!NumberParser.TryParseInt64(context.Argument(CountIndex), out count) || count < 0))
        {
            context.Reply.Error("ERR value is out of range, must be positive"u8);
            return;
        }

        var shape = hasCount && context.Reply.Protocol == 3 ? PopShape.Pairs : PopShape.Flat;
        if (TryPop(context, context.Key, isMax, count, shape) == Lookup.Missing)
        {
            context.Reply.Array(0);
        }
    }

    /// <summary>Does what ZMPOP does with one of its keys: answers the key and the elements taken.</summary>
    /// <returns>As <see cref="TryPop"/>.</returns>
    public static Lookup PopSeveral(CommandContext context, in Key key, in PopArguments arguments)
        => TryPop(context, key, arguments.IsSecondEnd, arguments.Count, PopShape.KeyAndPairs);

    /// <summary>Takes elements out of a key's set and answers them.</summary>
    /// <returns>Missing when there is no set, and nothing was answered; where the key is something else, the error was
    /// answered.</returns>
    public static Lookup TryPop(CommandContext context, in Key key, bool isMax, long count, PopShape shape)
    {
        var lookup = SortedSetAccess.Edit(context, key, out var editor);
        if (lookup != Lookup.Found)
        {
            return lookup;
        }

        var set = editor.Reader;
        var range = set.All.Limit(0, count, isMax);
        var what = isMax ? KeyEvent.ZPopMax : KeyEvent.ZPopMin;
        if (RangeRemovalPass.Begins(context, key, set, new(range, what, shape, isMax)))
        {
            return lookup;
        }

        using (context.Reply.Refusable())
        {
            WriteHeader(context.Reply, key, range.Count, shape);
            var isNested = shape is PopShape.Pairs or PopShape.KeyAndPairs;
            SortedSetReply.WriteElements(context, set, range, isMax, withScores: true, isNested);
        }

        if (range.Count > 0)
        {
            editor.Remove(range);
            editor.End(context.Change(what));
            context.Effects?.Tell(VerbOf(isMax), key.Span, count);
        }

        return lookup;
    }

    /// <summary>The command that repeats one of these.</summary>
    public static ReadOnlySpan<byte> VerbOf(bool isMax) => isMax ? "ZPOPMAX"u8 : "ZPOPMIN"u8;

    /// <summary>Writes what comes before the elements.</summary>
    public static void WriteHeader(ReplyWriter reply, in Key key, long count, PopShape shape)
    {
        switch (shape)
        {
            case PopShape.Flat:
                reply.Array(count * 2);
                break;
            case PopShape.Pairs:
                reply.Array(count);
                break;
            case PopShape.KeyAndFlat:
                reply.Array((count * 2) + 1);
                reply.Bulk(key.Span);
                break;
            default:
                reply.Array(2);
                reply.Bulk(key.Span);
                reply.Array(count);
                break;
        }
    }
}
