using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sets;

/// <summary>SMISMEMBER key member [member ...]</summary>
internal static class SMIsMember
{
    private const int FirstMember = 2;

    public static readonly CommandRow Row = new("smismember", -3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "6.2.0",
        Summary = "Tells of several members whether a set has them.",
        Complexity = "O(N) for N members",
        Syntax = "key member [member ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (!SetAccess.TryRead(context, context.Key, out var set))
        {
            return;
        }

        context.Reply.Array(context.Count - FirstMember);
        for (var i = FirstMember; i < context.Count; i++)
        {
            context.Reply.Integer(set.Contains(context.Argument(i)) ? 1 : 0);
        }
    }
}
