using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sets;

/// <summary>SCARD key</summary>
internal static class SCard
{
    public static readonly CommandRow Row = new("scard", 2, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Counts a set's members.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (SetAccess.TryRead(context, context.Key, out var set))
        {
            context.Reply.Integer(set.Count);
        }
    }
}
