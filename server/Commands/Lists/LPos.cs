using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>LPOS key element [RANK rank] [COUNT num-matches] [MAXLEN len]</summary>
internal static class LPos
{
    public static readonly CommandRow Row = new("lpos", -3,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "6.0.6",
        Summary = "Gives the positions of elements that equal another.",
        Complexity = "O(N) for N elements compared",
        Syntax = "key element [RANK rank] [COUNT num-matches] [MAXLEN len]",
    };

    private static void Execute(CommandContext context)
    {
        if (!LPosOptions.TryParse(context, out var options)
            || ListAccess.Read(context, context.Key, out var list) == Lookup.WrongType)
        {
            return;
        }

        var start = context.Reply.Length;
        var matches = list.Count == 0 ? 0 : WriteMatches(context, list, options);
        if (options.WantsArray)
        {
            var end = context.Reply.Length;
            context.Reply.Array(matches);
            context.Reply.MoveForward(start, end);
        }
        else if (matches == 0)
        {
            context.Reply.Null();
        }
    }

    /// <summary>Goes over the list from the end that the rank says, and writes the positions that are asked for.
    /// </summary>
    /// <returns>How many they are.</returns>
    private static long WriteMatches(CommandContext context, in ListReader list, in LPosOptions options)
    {
        var element = context.Argument(2);
        var cursor = list.AtEnd(options.IsBackward ? ListEnd.Tail : ListEnd.Head);
        var compared = Math.Min(list.Count, options.MaxLength);
        var (seen, written) = (0L, 0L);
        for (var i = 0L; i < compared && written < options.Count; i++)
        {
            if (cursor.Current.SequenceEqual(element) && ++seen >= options.Rank)
            {
                context.Reply.Integer(options.IsBackward ? list.Count - 1 - i : i);
                written++;
            }

            if (options.IsBackward)
            {
                _ = cursor.TryMovePrevious();
            }
            else
            {
                cursor.MoveNext();
            }
        }

        return written;
    }
}
