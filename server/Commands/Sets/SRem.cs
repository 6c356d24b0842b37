using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Sets;

/// <summary>SREM key member [member ...]</summary>
internal static class SRem
{
    private const int FirstMember = 2;

    public static readonly CommandRow Row = new("srem", -3, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Takes members out of a set; a set without members is deleted.",
        Complexity = "O(N) for N members",
        Syntax = "key member [member ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !SetAccess.TryEdit(context, context.Key, out var set)
            || NameRemovalPass.Begins(context, KeyEvent.SRem))
        {
            return;
        }

        var removed = 0;
        for (var i = FirstMember; i < context.Count && !set.Set.IsEmpty; i++)
        {
            removed += set.Remove(context.Argument(i)) ? 1 : 0;
        }

        if (removed > 0)
        {
            set.End(context.Change(KeyEvent.SRem));
        }

        context.Reply.Integer(removed);
    }
}
