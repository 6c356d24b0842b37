using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HGET key field</summary>
internal static class HGet
{
    public static readonly CommandRow Row = new("hget", 3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Gives the value of a field.",
        Complexity = "O(1)",
        Syntax = "key field",
    };

    private static void Execute(CommandContext context)
    {
        if (!HashAccess.TryRead(context, out var hash))
        {
            return;
        }

        if (hash.TryGet(context.Argument(2), out var value))
        {
            context.Reply.Bulk(value);
        }
        else
        {
            context.Reply.Null();
        }
    }
}
