using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Lists;

/// <summary>The options of LPOS.</summary>
/// <param name="Rank">The first match to give, counted from 1.</param>
/// <param name="IsBackward">Whether the list is searched from its tail.</param>
/// <param name="WantsArray">Whether several matches were asked for.</param>
/// <param name="Count">The most matches to give.</param>
/// <param name="MaxLength">The most elements to compare.</param>
internal readonly record struct LPosOptions(
    long Rank, bool IsBackward, bool WantsArray, long Count, long MaxLength)
{
    private const int FirstOption = 3;

    /// <summary>Reads the options; answers Redis's error when they are wrong.</summary>
    public static bool TryParse(CommandContext context, out LPosOptions options)
    {
        options = new LPosOptions(Rank: 1, IsBackward: false, WantsArray: false, Count: 1, MaxLength: long.MaxValue);
        for (var i = FirstOption; i < context.Count; i += 2)
        {
            var hasValue = i + 1 < context.Count;
            if (hasValue && context.IsWord(i, "rank"u8))
            {
                if (!TryRank(context, i + 1, ref options))
                {
                    return false;
                }
            }
            else if (hasValue && context.IsWord(i, "count"u8))
            {
                if (!TryLimit(context, i + 1, "ERR COUNT can't be negative"u8, out var count))
                {
                    return false;
                }

                options = options with { WantsArray = true, Count = count };
            }
            else if (hasValue && context.IsWord(i, "maxlen"u8))
            {
                if (!TryLimit(context, i + 1, "ERR MAXLEN can't be negative"u8, out var length))
                {
                    return false;
                }

                options = options with { MaxLength = length };
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    private static bool TryRank(CommandContext context, int index, ref LPosOptions options)
    {
        if (!context.TryInteger(index, out var rank))
        {
            return false;
        }

        if (rank is 0 or long.MinValue)
        {
            context.Reply.Error(rank != 0
                ? Errors.OutOfSymmetricRange
                : "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... "u8
                    + "or use negative to start from the end of the list"u8);
            return false;
        }

        options = options with { Rank = Math.Abs(rank), IsBackward = rank < 0 };
        return true;
    }

    /// <summary>Reads a number of which 0 means that there is no limit.</summary>
    private static bool TryLimit(CommandContext context, int index, ReadOnlySpan<byte> error, out long limit)
    {
        if (!NumberParser.TryParseInt64(context.Argument(index), out limit) || limit < 0)
        {
            context.Reply.Error(error);
            return false;
        }

        limit = limit == 0 ? long.MaxValue : limit;
        return true;
    }
}
