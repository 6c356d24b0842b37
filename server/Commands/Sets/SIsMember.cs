using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sets;

/// <summary>SISMEMBER key member</summary>
internal static class SIsMember
{
    public static readonly CommandRow Row = new("sismember", 3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Tells whether a set has a member.",
        Complexity = "O(1)",
        Syntax = "key member",
    };

    private static void Execute(CommandContext context)
    {
        if (SetAccess.TryRead(context, context.Key, out var set))
        {
            context.Reply.Integer(set.Contains(context.Argument(2)) ? 1 : 0);
        }
    }
}
