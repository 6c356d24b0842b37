using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HLEN key</summary>
internal static class HLen
{
    public static readonly CommandRow Row = new("hlen", 2, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Counts the fields of a hash.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        // Those that have expired and are still there are counted, and stay.
        if (HashAccess.TryRead(context, out var hash, mostExpired: 0))
        {
            context.Reply.Integer(hash.Count);
        }
    }
}
