using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HEXISTS key field</summary>
internal static class HExists
{
    public static readonly CommandRow Row = new("hexists", 3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Tells whether a hash has a field.",
        Complexity = "O(1)",
        Syntax = "key field",
    };

    private static void Execute(CommandContext context)
    {
        if (HashAccess.TryRead(context, out var hash))
        {
            context.Reply.Integer(hash.TryGet(context.Argument(2), out _) ? 1 : 0);
        }
    }
}
