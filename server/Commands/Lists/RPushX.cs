using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>RPUSHX key element [element ...]</summary>
internal static class RPushX
{
    public static readonly CommandRow Row = new("rpushx", -3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "2.2.0",
        Summary = "Adds elements at the tail of a list that is there.",
        Complexity = "O(N) for N elements",
        Syntax = "key element [element ...]",
    };

    private static void Execute(CommandContext context)
        => ListAccess.Push(context, first: 2, ListEnd.Tail, onlyIfThere: true);
}
