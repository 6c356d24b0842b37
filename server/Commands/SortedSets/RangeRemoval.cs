using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What ZREMRANGEBYRANK, ZREMRANGEBYSCORE and ZREMRANGEBYLEX do.</summary>
internal static class RangeRemoval
{
    public static void Execute(CommandContext context, RangeKind kind, KeyEvent what)
    {
        if (KeyPass.TryGoOn(context) || !RangeEnds.TryParse(context, kind, 2, 3, out var ends))
        {
            return;
        }

        var removed = 0L;
        switch (SortedSetAccess.Edit(context, context.Key, out var editor))
        {
            case Lookup.WrongType:
                return;
            case Lookup.Found:
                var range = ends.In(editor.Reader, isReverse: false);
                removed = range.Count;
                if (RangeRemovalPass.Begins(
                    context, context.Key, editor.Reader, new(range, what, Shape: null, IsReverse: false)))
                {
                    return;
                }

                if (removed > 0)
                {
                    editor.Remove(range);
                    editor.End(context.Change(what));
                }

                break;
        }

        context.Reply.Integer(removed);
    }
}
