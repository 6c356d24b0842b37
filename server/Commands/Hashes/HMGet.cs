using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HMGET key field [field ...]</summary>
internal static class HMGet
{
    public static readonly CommandRow Row = new("hmget", -3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Gives the values of several fields.",
        Complexity = "O(N) for N fields",
        Syntax = "key field [field ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (!HashAccess.TryRead(context, out var hash))
        {
            return;
        }

        context.Reply.Array(context.Count - 2);
        for (var i = 2; i < context.Count; i++)
        {
            if (hash.TryGet(context.Argument(i), out var value))
            {
                context.Reply.Bulk(value);
            }
            else
            {
                context.Reply.Null();
            }
        }
    }
}
