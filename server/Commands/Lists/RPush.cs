using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>RPUSH key element [element ...]</summary>
internal static class RPush
{
    public static readonly CommandRow Row = new("rpush", -3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Adds elements at the tail of a list; a missing key becomes one.",
        Complexity = "O(N) for N elements",
        Syntax = "key element [element ...]",
    };

    private static void Execute(CommandContext context)
        => ListAccess.Push(context, first: 2, ListEnd.Tail, onlyIfThere: false);
}
