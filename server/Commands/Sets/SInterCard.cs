using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Sets;

/// <summary>SINTERCARD numkeys key [key ...] [LIMIT limit]</summary>
internal static class SInterCard
{
    private const int FirstKey = 2;

    public static readonly CommandRow Row = new("sintercard", -3,
        CommandFlags.ReadOnly | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.Counted(1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "7.0.0",
        Summary = "Counts the members that all of several sets have.",
        Complexity = "O(N*M) for M sets, the smallest of N members",
        Syntax = "numkeys key [key ...] [LIMIT limit]",
    };

    private static void Execute(CommandContext context)
    {
        if (!NumberParser.TryParseInt64(context.Argument(1), out var count) || count < 1)
        {
            context.Reply.Error("ERR numkeys should be greater than 0"u8);
            return;
        }

        if (count > context.Count - FirstKey)
        {
            context.Reply.Error("ERR Number of keys can't be greater than number of args"u8);
            return;
        }

        if (TryLimit(context, FirstKey + (int)count, out var limit))
        {
            SetCombination.CountIntersection(context, FirstKey, (int)count, limit);
        }
    }

    private static bool TryLimit(CommandContext context, int index, out long limit)
    {
        limit = 0;
        for (; index < context.Count; index += 2)
        {
            if (!context.IsWord(index, "limit"u8) || index + 1 == context.Count)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (!NumberParser.TryParseInt64(context.Argument(index + 1), out limit) || limit < 0)
            {
                context.Reply.Error("ERR LIMIT can't be negative"u8);
                return false;
            }
        }

        return true;
    }
}
