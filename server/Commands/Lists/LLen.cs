using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Lists;

/// <summary>LLEN key</summary>
internal static class LLen
{
    public static readonly CommandRow Row = new("llen", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Gives the length of a list.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (ListAccess.Read(context, context.Key, out var list) != Lookup.WrongType)
        {
            context.Reply.Integer(list.Count);
        }
    }
}
