using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Commands.SortedSets;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Geo;

/// <summary>What GEOSEARCH, GEORADIUS and their kin do: find the members of a sorted set that lie in a circle or a box.
/// </summary>
internal static class GeoSearching
{
    /// <summary>What there is memory for from the start, and so is not charged.</summary>
    public const int MatchesFromStart = 16;

    /// <summary>Executes one of them.</summary>
    /// <param name="context">The command.</param>
    /// <param name="form">How it says what it looks for.</param>
    /// <param name="mayStore">Whether it has the words STORE and STOREDIST.</param>
    public static void Execute(CommandContext context, GeoForm form, bool mayStore = false)
    {
        if (KeyPass.TryGoOn(context))
        {
            return;
        }

        var source = form == GeoForm.WordsToStore ? 2 : 1;
        var lookup = SortedSetAccess.Read(context, context.KeyAt(source), out var set);
        if (lookup == Lookup.WrongType
            || !GeoQuery.TryParse(context, form, mayStore, lookup == Lookup.Found, set, out var query))
        {
            return;
        }

        var what = form == GeoForm.WordsToStore ? KeyEvent.GeoSearchStore : KeyEvent.GeoRadiusStore;
        var walk = lookup == Lookup.Found ? new GeoWalk(query.Shape) : default;
        var mayBeLong = lookup == Lookup.Found && KeyPass.IsLong(context, set.Count, set.Count, set.LargeBytes);
        using var matches = new NativeList<GeoMatch>(context.Server.Shards.Budget, MatchesFromStart);
        var effort = mayBeLong ? context.Server.EffortAtOnce : int.MaxValue;
        if (!TryFind(set, query, ref walk, matches, ref effort))
        {
            GeoPass.Begin(context, source, query, what);
            return;
        }

        if (OrderOf(query) is not GeoOrder.None and var order)
        {
            matches.Span.Sort(new GeoComparer(order == GeoOrder.Descending));
        }

        var result = Limit(query, matches.Span);
        if (query.StoreIndex > 0)
        {
            Store(context, context.KeyAt(query.StoreIndex), query, result, what);
        }
        else
        {
            Answer(context, query, result);
        }
    }

    /// <summary>Goes on to find members.</summary>
    /// <param name="set">Where they are looked for.</param>
    /// <param name="query">Which.</param>
    /// <param name="walk">What is left to be looked at.</param>
    /// <param name="matches">Where they go.</param>
    /// <param name="effort">How many may be looked at.</param>
    /// <returns>Whether all were found.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for them.</exception>
    public static bool TryFind(
        in SortedSetReader set, in GeoQuery query, ref GeoWalk walk, NativeList<GeoMatch> matches, ref int effort)
    {
        var limit = query.IsAny ? query.Count : long.MaxValue;
        while (matches.Count < limit)
        {
            if (!walk.TryNext(set, ref effort, out var element, out var place))
            {
                return effort > 0;
            }

            if (query.Shape.Holds(place, out var distance))
            {
                Add(matches, new GeoMatch(element, place, distance, matches.Count));
            }
        }

        return true;
    }

    /// <summary>The order in which what was found is given.</summary>
    public static GeoOrder OrderOf(in GeoQuery query)
        => query is { Count: > 0, IsAny: false, Order: GeoOrder.None } ? GeoOrder.Ascending : query.Order;

    /// <summary>As many as are wanted.</summary>
    public static ReadOnlySpan<GeoMatch> Limit(in GeoQuery query, ReadOnlySpan<GeoMatch> matches)
        => query.Count > 0 && query.Count < matches.Length ? matches[..(int)query.Count] : matches;

    /// <summary>Writes what is asked for of a member.</summary>
    public static void Write(ReplyWriter reply, in GeoQuery query, in GeoMatch match)
    {
        var fields = 1 + (query.WithDistance ? 1 : 0) + (query.WithHash ? 1 : 0) + (query.WithPlace ? 1 : 0);
        if (fields > 1)
        {
            reply.Array(fields);
        }

        reply.Bulk(match.Member);
        if (query.WithDistance)
        {
            GeoReply.Distance(reply, match.Distance / query.Shape.Unit);
        }

        if (query.WithHash)
        {
            reply.Integer(match.Score >= long.MaxValue ? long.MinValue : (long)match.Score);
        }

        if (query.WithPlace)
        {
            GeoReply.Place(reply, match.Place);
        }
    }

    /// <summary>Adds a member to what is stored.</summary>
    public static void Add(ref SortedSetBuilder result, in GeoQuery query, in GeoMatch match)
    {
        if (!result.TryFind(match.Member, out _))
        {
            result.Insert(match.Member, query.StoresDistances ? match.Distance / query.Shape.Unit : match.Score);
        }
    }

    private static void Add(NativeList<GeoMatch> matches, in GeoMatch match)
    {
        matches.AskForNext(ServerLimits.FreelyHeldBytes);
        try
        {
            matches.Add(match);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException(
                $"the system gave no memory for more than {matches.Count} members", exception);
        }
    }

    private static void Answer(CommandContext context, in GeoQuery query, ReadOnlySpan<GeoMatch> matches)
    {
        context.Reply.Array(matches.Length);
        foreach (ref readonly var match in matches)
        {
            Write(context.Reply, query, match);
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
                Add(ref result, query, match);
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
