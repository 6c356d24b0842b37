using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>MSETNX key value [key value ...]</summary>
internal static class MSetNx
{
    public static readonly CommandRow Row = new("msetnx", -3, CommandFlags.Write | CommandFlags.DenyOom,
        new KeySpec(1, -1, 2, KeyAccess.Overwrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.1",
        Summary = "Makes several keys strings with values, unless one of the keys exists.",
        Complexity = "O(N) for N keys",
        Syntax = "key value [key value ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (!MSet.HasPairs(context))
        {
            return;
        }

        for (var i = 1; i < context.Count; i += 2)
        {
            if (context.TryWrite(context.KeyAt(i), out _))
            {
                context.Reply.Integer(0);
                return;
            }
        }

        MSet.SetAll(context);
        context.Reply.Integer(1);
    }
}
