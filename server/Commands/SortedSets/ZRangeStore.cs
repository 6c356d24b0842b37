using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZRANGESTORE dst src min max [BYSCORE|BYLEX] [REV] [LIMIT offset count]</summary>
internal static class ZRangeStore
{
    public static readonly CommandRow Row = new("zrangestore", -5,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update), Execute)
    {
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.ReadOnly | KeyAccess.Access),
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "6.2.0",
        Summary = "Stores members in a range of indices, scores or members as another sorted set.",
        Complexity = "O(log(N)+M) with N members in the set and M stored",
        Syntax = "dst src min max [BYSCORE|BYLEX] [REV] [LIMIT offset count]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context)
            || !RangeQuery.TryParse(context, 2, kind: null, isReverse: null, mayHaveScores: false, out var query))
        {
            return;
        }

        var lookup = SortedSetAccess.Read(context, context.KeyAt(2), out var set);
        if (lookup == Lookup.WrongType)
        {
            return;
        }

        var range = lookup == Lookup.Found ? query.In(set) : RankRange.Empty;
        if (lookup == Lookup.Found && KeyPass.IsLong(context, range.Count, set.Count, set.LargeBytes))
        {
            RangeStorePass.Begin(context, set.Walk(range));
            return;
        }

        var destination = context.KeyAt(1);
        var result = new SortedSetBuilder(context.ShardOf(destination));
        try
        {
            for (var cursor = set.Walk(range); cursor.TryNext(out var element);)
            {
                result.Add(element.Member, element.Score);
            }

            _ = result.Finish();
            SortedSetAccess.Store(context, destination, ref result, KeyEvent.ZRangeStore);
        }
        finally
        {
            result.Dispose();
        }
    }
}
