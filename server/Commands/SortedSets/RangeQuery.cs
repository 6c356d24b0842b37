using Strata.Server.Commands.Model;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>
/// What ZRANGE, ZRANGESTORE and the older commands with a range ask for: <c>key min max [BYSCORE | BYLEX] [REV] [LIMIT
/// offset count] [WITHSCORES]</c>. Of the older ones, kind and direction are given by their names.
/// </summary>
internal ref struct RangeQuery
{
    private const long NoLimit = -1;

    private RangeEnds _ends;
    private RangeKind? _kind;
    private bool? _isReverse;
    private long _skipped;
    private long _most;

    /// <summary>Whether the highest element comes first.</summary>
    public readonly bool IsReverse => _isReverse == true;

    /// <summary>Whether scores are wanted too.</summary>
    public bool WithScores { get; private set; }

    /// <summary>Reads the arguments after the key; answers Redis's error when they are wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">Index of the key that is read.</param>
    /// <param name="kind">What the ends are; null where words say it.</param>
    /// <param name="isReverse">The direction; null where a word says it.</param>
    /// <param name="mayHaveScores">Whether WITHSCORES is allowed.</param>
    /// <param name="query">What was read.</param>
    public static bool TryParse(
        CommandContext context, int key, RangeKind? kind, bool? isReverse, bool mayHaveScores, out RangeQuery query)
    {
        query = new RangeQuery { _kind = kind, _isReverse = isReverse, _most = NoLimit };
        if (!query.TryParseWords(context, key + 3, mayHaveScores))
        {
            return false;
        }

        var ends = query._kind ?? RangeKind.Index;
        if (query._most != NoLimit && ends == RangeKind.Index)
        {
            context.Reply.Error(
                "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"u8);
            return false;
        }

        if (query.WithScores && ends == RangeKind.Member)
        {
            context.Reply.Error("ERR syntax error, WITHSCORES not supported in combination with BYLEX"u8);
            return false;
        }

        // What is asked for from the highest on names the higher end first, but for indices.
        var isSwapped = query.IsReverse && ends != RangeKind.Index;
        var (min, max) = isSwapped ? (key + 2, key + 1) : (key + 1, key + 2);
        return RangeEnds.TryParse(context, ends, min, max, out query._ends);
    }

    /// <summary>The elements of a set that are asked for.</summary>
    public readonly RankRange In(in SortedSetReader set)
    {
        var range = _ends.In(set, IsReverse);
        return _kind is null or RangeKind.Index ? range : range.Limit(_skipped, _most, IsReverse);
    }

    private bool TryParseWords(CommandContext context, int index, bool mayHaveScores)
    {
        for (; index < context.Count; index++)
        {
            if (mayHaveScores && context.IsWord(index, "withscores"u8))
            {
                WithScores = true;
            }
            else if (context.IsWord(index, "limit"u8) && index + 2 < context.Count)
            {
                if (!context.TryInteger(index + 1, out _skipped) || !context.TryInteger(index + 2, out _most))
                {
                    return false;
                }

                index += 2;
            }
            else if (_isReverse == null && context.IsWord(index, "rev"u8))
            {
                _isReverse = true;
            }
            else if (_kind == null && context.IsWord(index, "bylex"u8))
            {
                _kind = RangeKind.Member;
            }
            else if (_kind == null && context.IsWord(index, "byscore"u8))
            {
                _kind = RangeKind.Score;
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }
}
