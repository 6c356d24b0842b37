using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HSTRLEN key field</summary>
internal static class HStrLen
{
    public static readonly CommandRow Row = new("hstrlen", 3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "3.2.0",
        Summary = "Tells how long a field's value is.",
        Complexity = "O(1)",
        Syntax = "key field",
    };

    private static void Execute(CommandContext context)
    {
        if (HashAccess.TryRead(context, out var hash))
        {
            context.Reply.Integer(hash.TryGet(context.Argument(2), out var value) ? value.Length : 0);
        }
    }
}
