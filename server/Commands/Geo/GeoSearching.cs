using Strata.Server.Commands.Model;
using Strata.Server.Commands.SortedSets;
using Strata.Storage.Changes;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Geo;

/// <summary>What GEOSEARCH, GEORADIUS and their kin do: find the members of a sorted set that lie in a circle or a box.
/// </summary>
internal static class GeoSearching
{
    private const int Cells = 9;

    // What there is memory for from the start, and so is not charged.
    private const int MatchesFromStart = 16;

    /// <summary>Executes one of them.</summary>
    /// <param name="context">The command.</param>
    /// <param name="form">How it says what it looks for.</param>
    /// <param name="mayStore">Whether it has the words STORE and STOREDIST.</param>
    public static void Execute(CommandContext context, GeoForm form, bool mayStore = false)
    {
        var key = context.KeyAt(form == GeoForm.WordsToStore ? 2 : 1);
        var lookup = SortedSetAccess.Read(context, key, out var set);
        if (lookup == Lookup.WrongType
            || !GeoQuery.TryParse(context, form, mayStore, lookup == Lookup.Found, set, out var query))
        {
            return;
        }

        using var matches = new NativeList<GeoMatch>(context.Server.Shards.Budget, MatchesFromStart);
        try
        {
            if (lookup == Lookup.Found)
            {
                Find(set, query, matches);
            }
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException(
                $"the system gave no memory for more than {matches.Count} members", exception);
        }

        var result = Order(query, matches.Span);
        if (query.StoreIndex > 0)
        {
            var what = form == GeoForm.WordsToStore ? KeyEvent.GeoSearchStore : KeyEvent.GeoRadiusStore;
            Store(context, context.KeyAt(query.StoreIndex), query, result, what);
        }
        else
        {
            Answer(context, query, result);
        }
    }

    private static void Find(in SortedSetReader set, in GeoQuery query, NativeList<GeoMatch> matches)
    {
        Span<GeoCell> cells = stackalloc GeoCell[Cells];
        query.Shape.Cover(cells);
        var limit = query.IsAny ? query.Count : long.MaxValue;
        var last = 0;
        for (var i = 0; i < Cells && matches.Count < limit; i++)
        {
            // Where cells are large, neighbours on both sides are the same.
            if (cells[i].Steps > 0 && (last == 0 || cells[i] != cells[last]))
            {
                FindIn(set, query, cells[i], limit, matches);
                last = i;
            }
        }
    }

    private static void FindIn(
        in SortedSetReader set, in GeoQuery query, GeoCell cell, long limit, NativeList<GeoMatch> matches)
    {
        var range = set.ByScore(new ScoreRange(cell.FirstScore, ExcludesMin: false, cell.EndScore, ExcludesMax: true));
        for (var cursor = set.Walk(range); cursor.TryNext(out var element);)
        {
            var place = GeoPoint.OfScore(element.Score);
            if (query.Shape.Holds(place, out var distance))
            {
                matches.Add(new GeoMatch(element, place, distance, matches.Count));
            }

            if (matches.Count >= limit)
            {
                break;
            }
        }
    }

    /// <summary>Puts what was found into order, and takes as many as are wanted.</summary>
    private static ReadOnlySpan<GeoMatch> Order(in GeoQuery query, Span<GeoMatch> matches)
    {
        var order = query is { Count: > 0, IsAny: false, Order: GeoOrder.None } ? GeoOrder.Ascending : query.Order;
        if (order != GeoOrder.None)
        {
            var sign = order == GeoOrder.Ascending ? 1 : -1;
            matches.Sort((a, b) => a.Distance.CompareTo(b.Distance) is var difference && difference != 0
                ? sign * difference
                : a.Index.CompareTo(b.Index));
        }

        return query.Count > 0 && query.Count < matches.Length ? matches[..(int)query.Count] : matches;
    }

    private static void Answer(CommandContext context, in GeoQuery query, ReadOnlySpan<GeoMatch> matches)
    {
        var fields = 1 + (query.WithDistance ? 1 : 0) + (query.WithHash ? 1 : 0) + (query.WithPlace ? 1 : 0);
        context.Reply.Array(matches.Length);
        foreach (ref readonly var match in matches)
        {
            if (fields > 1)
            {
                context.Reply.Array(fields);
            }

            context.Reply.Bulk(match.Member);
            if (query.WithDistance)
            {
                GeoReply.Distance(context, match.Distance / query.Shape.Unit);
            }

            if (query.WithHash)
            {
                context.Reply.Integer(match.Score >= long.MaxValue ? long.MinValue : (long)match.Score);
            }

            if (query.WithPlace)
            {
                GeoReply.Place(context.Reply, match.Place);
            }
        }
    }

    private static void Store(
        CommandContext context, in Key key, in GeoQuery query, ReadOnlySpan<GeoMatch> matches, KeyEvent what)
    {
        var result = new SortedSetBuilder(context.ShardOf(key));
        try
        {
            foreach (ref readonly var match in matches)
            {
                if (!result.TryFind(match.Member, out _))
                {
                    result.Insert(
                        match.Member, query.StoresDistances ? match.Distance / query.Shape.Unit : match.Score);
                }
            }

            _ = result.Finish();
            SortedSetAccess.Store(context, key, ref result, what);
        }
        finally
        {
            result.Dispose();
        }
    }
}
