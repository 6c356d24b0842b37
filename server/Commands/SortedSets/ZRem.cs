using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZREM key member [member ...]</summary>
internal static class ZRem
{
    public static readonly CommandRow Row = new("zrem", -3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Removes members from a sorted set.",
        Complexity = "O(M*log(N)) with N members in the set and M to be removed",
        Syntax = "key member [member ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context))
        {
            return;
        }

        var removed = 0;
        switch (SortedSetAccess.Edit(context, context.Key, out var editor))
        {
            case Lookup.WrongType:
                return;
            case Lookup.Found when NameRemovalPass.Begins(context, KeyEvent.ZRem):
                return;
            case Lookup.Found:
                for (var i = 2; i < context.Count && editor.Count > 0; i++)
                {
                    removed += editor.Remove(context.Argument(i)) ? 1 : 0;
                }

                break;
        }

        if (removed > 0)
        {
            editor.End(context.Change(KeyEvent.ZRem));
        }

        context.Reply.Integer(removed);
    }
}
