using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>LTRIM key start stop</summary>
internal static class LTrim
{
    public static readonly CommandRow Row = new("ltrim", 4,
        CommandFlags.Write,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Keeps the elements from one position to another and removes the others.",
        Complexity = "O(N) for N elements removed",
        Syntax = "key start stop",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var start) || !context.TryInteger(3, out var stop))
        {
            return;
        }

        switch (ListAccess.Edit(context, context.Key, out var list))
        {
            case Lookup.Found:
                var kept = new ListRange(start, stop, list.Count);
                var behind = kept.Count == 0 ? list.Count : list.Count - kept.First - kept.Count;
                list.Trim(behind, ListEnd.Tail);
                if (kept.Count > 0)
                {
                    list.Trim(kept.First, ListEnd.Head);
                }

                list.End(context.Change(KeyEvent.LTrim));
                context.Reply.Ok();
                break;
            case Lookup.Missing:
                context.Reply.Ok();
                break;
        }
    }
}
