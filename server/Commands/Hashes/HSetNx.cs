using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Hashes;

/// <summary>HSETNX key field value</summary>
internal static class HSetNx
{
    public static readonly CommandRow Row = new("hsetnx", 4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Sets a field of a hash if it is not there.",
        Complexity = "O(1)",
        Syntax = "key field value",
    };

    private static void Execute(CommandContext context)
    {
        if (!HashAccess.TryWrite(context, out var hash))
        {
            return;
        }

        var field = context.Argument(2);
        if (hash.Read().TryGet(field, out _))
        {
            context.Reply.Integer(0);
            return;
        }

        _ = hash.Set(field, context.Argument(3), HashAccess.LimitsOf(context));
        hash.End(context.Change(KeyEvent.HSet));
        context.Reply.Integer(1);
    }
}
