using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>The two ends of a range of a sorted set, as arguments give them.</summary>
internal ref struct RangeEnds
{
    private RangeKind _kind;
    private long _start;
    private long _stop;
    private ScoreRange _scores;
    private MemberRange _members;

    /// <summary>Reads the ends; answers Redis's error when they are wrong.</summary>
    public static bool TryParse(CommandContext context, RangeKind kind, int min, int max, out RangeEnds ends)
    {
        ends = new RangeEnds { _kind = kind };
        return kind switch
        {
            RangeKind.Index => context.TryInteger(min, out ends._start) && context.TryInteger(max, out ends._stop),
            RangeKind.Score => TryScores(context, min, max, out ends._scores),
            _ => TryMembers(context, min, max, out ends._members),
        };
    }

    /// <summary>The elements of a set between the ends. Indices count from the end that the range begins
    /// with.</summary>
    public readonly RankRange In(in SortedSetReader set, bool isReverse)
    {
        switch (_kind)
        {
            case RangeKind.Score:
                return set.ByScore(_scores);
            case RangeKind.Member:
                return set.ByMember(_members, isReverse);
            default:
                var range = set.ByIndex(_start, _stop);
                return isReverse ? new RankRange(set.Count - range.First - range.Count, range.Count) : range;
        }
    }

    private static bool TryScores(CommandContext context, int min, int max, out ScoreRange range)
    {
        range = default;
        if (!TryScore(context.Argument(min), out var lower, out var excludesMin)
            || !TryScore(context.Argument(max), out var upper, out var excludesMax))
        {
            context.Reply.Error("ERR min or max is not a float"u8);
            return false;
        }

        range = new ScoreRange(lower, excludesMin, upper, excludesMax);
        return true;
    }

    private static bool TryScore(ReadOnlySpan<byte> text, out double score, out bool isExcluded)
    {
        isExcluded = !text.IsEmpty && text[0] == '(';
        return DoubleParser.TryParseLenient(isExcluded ? text[1..] : text, out score);
    }

    private static bool TryMembers(CommandContext context, int min, int max, out MemberRange range)
    {
        range = default;
        if (!TryMember(context.Argument(min), out var lower) || !TryMember(context.Argument(max), out var upper))
        {
            context.Reply.Error("ERR min or max not valid string range item"u8);
            return false;
        }

        range = new MemberRange(lower, upper);
        return true;
    }

    private static bool TryMember(ReadOnlySpan<byte> text, out MemberLimit limit)
    {
        limit = default;
        if (text.IsEmpty)
        {
            return false;
        }

        switch (text[0])
        {
            case (byte)'-' when text.Length == 1:
                limit = MemberLimit.Lowest;
                return true;
            case (byte)'+' when text.Length == 1:
                limit = MemberLimit.Highest;
                return true;
            case (byte)'(' or (byte)'[':
                limit = MemberLimit.At(text[1..], isExcluded: text[0] == '(');
                return true;
            default:
                return false;
        }
    }
}
