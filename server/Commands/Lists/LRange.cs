using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Lists;

/// <summary>LRANGE key start stop</summary>
internal static class LRange
{
    public static readonly CommandRow Row = new("lrange", 4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "1.0.0",
        Summary = "Gives the elements of a list from one position to another.",
        Complexity = "O(S+N) for N elements at a distance of S from the nearer end",
        Syntax = "key start stop",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context))
        {
            return;
        }

        if (!context.TryInteger(2, out var start) || !context.TryInteger(3, out var stop)
            || ListAccess.Read(context, context.Key, out var list) == Lookup.WrongType)
        {
            return;
        }

        var range = new ListRange(start, stop, list.Count);
        if (KeyPass.IsLong(context, range.Count, list.Count, list.LargeBytes))
        {
            ReplyPass.Begin(context, context.Key, new RangeReply(list.At(range.First), range.Count));
            return;
        }

        context.Reply.Array(range.Count);
        if (range.Count > 0)
        {
            var cursor = list.At(range.First);
            context.Reply.Bulk(cursor.Current);
            for (var left = range.Count - 1; left > 0; left--)
            {
                cursor.MoveNext();
                context.Reply.Bulk(cursor.Current);
            }
        }
    }
}
