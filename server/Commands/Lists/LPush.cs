using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>LPUSH key element [element ...]</summary>
internal static class LPush
{
    public static readonly CommandRow Row = new("lpush", -3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Adds elements at the head of a list; a missing key becomes one.",
        Complexity = "O(N) for N elements",
        Syntax = "key element [element ...]",
    };

    private static void Execute(CommandContext context)
        => ListAccess.Push(context, first: 2, ListEnd.Head, onlyIfThere: false);
}
