using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>LREM key count element</summary>
internal static class LRem
{
    public static readonly CommandRow Row = new("lrem", 4,
        CommandFlags.Write,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Removes elements that equal another, from the head on or from the tail on.",
        Complexity = "O(N+M) for N elements and M removed ones",
        Syntax = "key count element",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var count))
        {
            return;
        }

        if (count == long.MinValue)
        {
            context.Reply.Error(Errors.OutOfSymmetricRange);
            return;
        }

        switch (ListAccess.Edit(context, context.Key, out var list))
        {
            case Lookup.Missing:
                context.Reply.Integer(0);
                break;
            case Lookup.Found:
                var most = count == 0 ? long.MaxValue : Math.Abs(count);
                var removed = count < 0
                    ? RemoveFromTail(ref list, context.Argument(3), most)
                    : RemoveFromHead(ref list, context.Argument(3), most);
                if (removed > 0)
                {
                    list.End(context.Change(KeyEvent.LRem));
                }

                context.Reply.Integer(removed);
                break;
        }
    }

    private static long RemoveFromHead(ref ListEditor list, ReadOnlySpan<byte> element, long most)
    {
        var removed = 0L;
        var cursor = list.Reader.At(0);
        while (!cursor.IsEnd && removed < most)
        {
            if (cursor.Current.SequenceEqual(element))
            {
                list.Remove(ref cursor);
                removed++;
            }
            else
            {
                cursor.MoveNext();
            }
        }

        return removed;
    }

    private static long RemoveFromTail(ref ListEditor list, ReadOnlySpan<byte> element, long most)
    {
        var removed = 0L;
        var cursor = list.Reader.At(list.Count);
        while (removed < most && !list.IsGone && cursor.TryMovePrevious())
        {
            if (cursor.Current.SequenceEqual(element))
            {
                list.Remove(ref cursor);
                removed++;
            }
        }

        return removed;
    }
}
