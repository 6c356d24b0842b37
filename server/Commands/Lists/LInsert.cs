using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>LINSERT key BEFORE|AFTER pivot element</summary>
internal static class LInsert
{
    public static readonly CommandRow Row = new("linsert", 5,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "2.2.0",
        Summary = "Adds an element beside the first one that equals a pivot.",
        Complexity = "O(N) for N elements before the pivot",
        Syntax = "key <BEFORE | AFTER> pivot element",
    };

    private static void Execute(CommandContext context)
    {
        var isAfter = context.IsWord(2, "after"u8);
        if (!isAfter && !context.IsWord(2, "before"u8))
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        switch (ListAccess.Edit(context, context.Key, out var list))
        {
            case Lookup.Missing:
                context.Reply.Integer(0);
                break;
            case Lookup.Found:
                Insert(context, ref list, isAfter);
                break;
        }
    }

    private static void Insert(CommandContext context, ref ListEditor list, bool isAfter)
    {
        var pivot = context.Argument(3);
        var cursor = list.Reader.At(0);
        while (!cursor.IsEnd && !cursor.Current.SequenceEqual(pivot))
        {
            cursor.MoveNext();
        }

        if (cursor.IsEnd)
        {
            context.Reply.Integer(-1);
            return;
        }

        if (isAfter)
        {
            cursor.MoveNext();
        }

        list.Insert(ref cursor, context.Argument(4));
        list.End(context.Change(KeyEvent.LInsert));
        context.Reply.Integer(list.Count);
    }
}
