using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZCARD key</summary>
internal static class ZCard
{
    public static readonly CommandRow Row = new("zcard", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Gives the number of members of a sorted set.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        switch (SortedSetAccess.Read(context, context.Key, out var set))
        {
            case Lookup.Found:
                context.Reply.Integer(set.Count);
                break;
            case Lookup.Missing:
                context.Reply.Integer(0);
                break;
        }
    }
}
