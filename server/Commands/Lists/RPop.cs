using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>RPOP key [count]</summary>
internal static class RPop
{
    public static readonly CommandRow Row = new("rpop", -2,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Gives and removes the last element of a list, or several.",
        Complexity = "O(N) for N elements removed",
        Syntax = "key [count]",
    };

    private static void Execute(CommandContext context) => ListPop.Execute(context, ListEnd.Tail);
}
