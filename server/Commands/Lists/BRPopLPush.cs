using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>BRPOPLPUSH source destination timeout</summary>
internal static class BRPopLPush
{
    public static readonly CommandRow Row = new("brpoplpush", 4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Blocking,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "2.2.0",
        Summary = "Takes the last element of a list, puts it first into another, and gives it, or waits for one.",
        Complexity = "O(1)",
        Syntax = "source destination timeout",
        Differs = BlockingListMove.Differs,
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Insert),
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`BLMOVE` with the `RIGHT` and `LEFT` arguments",
    };

    private static void Execute(CommandContext context)
        => BlockingListMove.Execute(context, ListEnd.Tail, ListEnd.Head, timeoutIndex: 3);
}
