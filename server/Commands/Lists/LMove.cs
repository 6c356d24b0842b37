using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Lists;

/// <summary>LMOVE source destination LEFT|RIGHT LEFT|RIGHT</summary>
internal static class LMove
{
    public static readonly CommandRow Row = new("lmove", 5,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "6.2.0",
        Summary = "Takes an element from one list, puts it into another, and gives it.",
        Complexity = "O(1)",
        Syntax = "source destination <LEFT | RIGHT> <LEFT | RIGHT>",
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Insert),
    };

    private static void Execute(CommandContext context)
    {
        if (ListAccess.TryReadEnd(context, 3, out var from) && ListAccess.TryReadEnd(context, 4, out var to)
            && ListAccess.Move(context, context.KeyAt(1), context.KeyAt(2), from, to) == Lookup.Missing)
        {
            context.Reply.Null();
        }
    }
}
