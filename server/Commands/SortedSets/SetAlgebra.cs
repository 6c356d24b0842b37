using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What ZUNION, ZINTER, ZDIFF, their storing forms and ZINTERCARD do. As in Redis the smallest set comes
/// first, but for differences: sums of scores that are no integers depend on the order.</summary>
internal static class SetAlgebra
{
    /// <summary>ZUNION, ZINTER, ZDIFF: answers the result.</summary>
    public static void Execute(CommandContext context, AlgebraOperation operation)
    {
        var words = WordsOf(operation) | AlgebraWords.Scores;
        if (KeyPass.TryGoOn(context)
            || AlgebraPass.BeginsOneByOne(context, 1, operation, words, stored: null)
            || !AlgebraRequest.TryParse(context, 1, words, out var request))
        {
            return;
        }

        using (request)
        {
            Sort(request, operation);
            if (AlgebraPass.Begins(context, request, 1, operation, stored: null))
            {
                return;
            }

            using var result = Gather(request, operation, new SortedSetBuilder(context.ShardOf(context.KeyAt(2))));
            var set = result.Finish();
            SortedSetReply.Write(context, set, set.All, isReverse: false, request.WithScores);
        }
    }

    /// <summary>ZUNIONSTORE, ZINTERSTORE, ZDIFFSTORE: stores the result as the first key.</summary>
    public static void Store(CommandContext context, AlgebraOperation operation)
    {
        var (words, what) = (WordsOf(operation), EventOf(operation));
        if (KeyPass.TryGoOn(context)
            || AlgebraPass.BeginsOneByOne(context, 2, operation, words, what)
            || !AlgebraRequest.TryParse(context, 2, words, out var request))
        {
            return;
        }

        using (request)
        {
            Sort(request, operation);
            if (AlgebraPass.Begins(context, request, 2, operation, what))
            {
                return;
            }

            var key = context.KeyAt(1);
            var result = Gather(request, operation, new SortedSetBuilder(context.ShardOf(key)));
            try
            {
                _ = result.Finish();
                SortedSetAccess.Store(context, key, ref result, what);
            }
            finally
            {
                result.Dispose();
            }
        }
    }

    /// <summary>ZINTERCARD: answers how many members there are in common.</summary>
    public static void Count(CommandContext context)
    {
        const AlgebraOperation Operation = AlgebraOperation.Intersection;
        const AlgebraWords Words = AlgebraWords.Limit;
        if (KeyPass.TryGoOn(context)
            || AlgebraPass.BeginsOneByOne(context, 1, Operation, Words, stored: null, isNumber: true)
            || !AlgebraRequest.TryParse(context, 1, Words, out var request))
        {
            return;
        }

        using (request)
        {
            Sort(request, Operation);
            if (AlgebraPass.Begins(context, request, 1, Operation, stored: null, isNumber: true))
            {
                return;
            }

            var sources = request.Sources;
            var count = 0L;
            for (var walk = sources[0].Walk(); walk.MoveNext();)
            {
                count += TryIntersect(sources, walk.Member, walk.Score, request.Aggregate, out _) ? 1 : 0;
                if (count == request.Limit && count > 0)
                {
                    break;
                }
            }

            context.Reply.Integer(count);
        }
    }

    private static AlgebraWords WordsOf(AlgebraOperation operation)
        => operation == AlgebraOperation.Difference ? AlgebraWords.None : AlgebraWords.Weights;

    private static KeyEvent EventOf(AlgebraOperation operation) => operation switch
    {
        AlgebraOperation.Union => KeyEvent.ZUnionStore,
        AlgebraOperation.Intersection => KeyEvent.ZInterStore,
        _ => KeyEvent.ZDiffStore,
    };

    private static SortedSetBuilder Gather(
        in AlgebraRequest request, AlgebraOperation operation, SortedSetBuilder result)
    {
        try
        {
            switch (operation)
            {
                case AlgebraOperation.Union:
                    AddUnion(request, ref result);
                    break;
                case AlgebraOperation.Intersection:
                    AddIntersection(request, ref result);
                    break;
                default:
                    AddDifference(request, ref result);
                    break;
            }

            return result;
        }
        catch
        {
            result.Dispose();
            throw;
        }
    }

    private static void AddUnion(in AlgebraRequest request, ref SortedSetBuilder result)
    {
        foreach (ref readonly var source in request.Sources)
        {
            for (var walk = source.Walk(); walk.MoveNext();)
            {
                AddToUnion(ref result, source, walk.Member, walk.Score, request.Aggregate);
            }
        }
    }

    /// <summary>Adds a member of a set to the union by now.</summary>
    public static void AddToUnion(
        ref SortedSetBuilder result,
        in ScoredSource source,
        ReadOnlySpan<byte> member,
        double unweighted,
        ScoreAggregate aggregate)
    {
        var score = Weigh(source, unweighted);
        if (result.TryFind(member, out var existing))
        {
            result.SetScore(Combine(existing, score, aggregate));
        }
        else
        {
            result.Insert(member, score);
        }
    }

    private static void Sort(in AlgebraRequest request, AlgebraOperation operation)
    {
        if (operation != AlgebraOperation.Difference)
        {
            request.Sources.Sort();
        }
    }

    private static void AddIntersection(in AlgebraRequest request, ref SortedSetBuilder result)
    {
        var sources = request.Sources;
        for (var walk = sources[0].Walk(); walk.MoveNext();)
        {
            if (TryIntersect(sources, walk.Member, walk.Score, request.Aggregate, out var score))
            {
                result.Add(walk.Member, score);
            }
        }
    }

    private static void AddDifference(in AlgebraRequest request, ref SortedSetBuilder result)
    {
        var sources = request.Sources;
        for (var walk = sources[0].Walk(); walk.MoveNext();)
        {
            if (!IsInOthers(sources, walk.Member))
            {
                result.Add(walk.Member, walk.Score);
            }
        }
    }

    /// <summary>Whether a member of the first set is in another one, too.</summary>
    public static bool IsInOthers(ReadOnlySpan<ScoredSource> sources, ReadOnlySpan<byte> member)
    {
        foreach (ref readonly var source in sources[1..])
        {
            if (source.TryGetScore(member, out _))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a member of the first set is in all, and the score that it has then.</summary>
    public static bool TryIntersect(
        ReadOnlySpan<ScoredSource> sources,
        ReadOnlySpan<byte> member,
        double unweighted,
        ScoreAggregate aggregate,
        out double score)
    {
        score = Weigh(sources[0], unweighted);
        for (var i = 1; i < sources.Length; i++)
        {
            if (!sources[i].TryGetScore(member, out var other))
            {
                return false;
            }

            score = Combine(score, other * sources[i].Weight, aggregate);
        }

        return true;
    }

    /// <summary>Infinity times 0 counts as 0.</summary>
    public static double Weigh(in ScoredSource source, double unweighted)
    {
        var score = source.Weight * unweighted;
        return double.IsNaN(score) ? 0 : score;
    }

    /// <summary>The sum of two infinities that has no value counts as 0.</summary>
    public static double Combine(double score, double other, ScoreAggregate aggregate)
    {
        switch (aggregate)
        {
            case ScoreAggregate.Min:
                return other < score ? other : score;
            case ScoreAggregate.Max:
                return other > score ? other : score;
            default:
                var sum = score + other;
                return double.IsNaN(sum) ? 0 : sum;
        }
    }
}
