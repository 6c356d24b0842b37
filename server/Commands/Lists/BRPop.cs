using Strata.Server.Commands.Model;
using Strata.Storage;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>BRPOP key [key ...] timeout</summary>
internal static class BRPop
{
    public static readonly CommandRow Row = new("brpop", -3,
        CommandFlags.Write | CommandFlags.Blocking,
        new KeySpec(1, -2, 1, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        HoldsOneByOne = true,
        BytesPerName = Limits.BytesPerInterest,
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "2.0.0",
        Summary = "Gives and removes the last element of the first of several lists that is there, or waits for one.",
        Complexity = "O(N) where N is the number of provided keys.",
        Syntax = "key [key ...] timeout",
    };

    private static void Execute(CommandContext context) => BlockingListPop.Execute(context, ListEnd.Tail);
}
