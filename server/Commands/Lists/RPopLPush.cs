using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>RPOPLPUSH source destination</summary>
internal static class RPopLPush
{
    public static readonly CommandRow Row = new("rpoplpush", 3,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.2.0",
        Summary = "Takes the last element of one list, puts it at the head of another, and gives it.",
        Complexity = "O(1)",
        Syntax = "source destination",
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Insert),
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`LMOVE` with the `RIGHT` and `LEFT` arguments",
    };

    private static void Execute(CommandContext context)
    {
        if (ListAccess.Move(context, context.KeyAt(1), context.KeyAt(2), ListEnd.Tail, ListEnd.Head) == Lookup.Missing)
        {
            context.Reply.Null();
        }
    }
}
