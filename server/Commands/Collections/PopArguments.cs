using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Collections;

/// <summary>The arguments that LMPOP and ZMPOP, and their blocking forms, share: <c>numkeys key [key ...] &lt;word |
/// word&gt; [COUNT count]</c>.</summary>
/// <param name="FirstKey">Index of the first key.</param>
/// <param name="KeyCount">Number of keys.</param>
/// <param name="IsSecondEnd">Whether the second of the two words was given: RIGHT, MAX.</param>
/// <param name="Count">The most elements to take, at least 1.</param>
internal readonly record struct PopArguments(int FirstKey, int KeyCount, bool IsSecondEnd, long Count)
{
    /// <summary>Reads the arguments from that of the number of keys on; answers Redis's error when they are wrong.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="index">Index of the number of keys.</param>
    /// <param name="firstEnd">The word for one end, in lower case: "left", "min".</param>
    /// <param name="secondEnd">The word for the other end.</param>
    /// <param name="arguments">What was read.</param>
    public static bool TryParse(
        CommandContext context,
        int index,
        ReadOnlySpan<byte> firstEnd,
        ReadOnlySpan<byte> secondEnd,
        out PopArguments arguments)
    {
        arguments = default;
        if (!PositiveArgument.TryRead(context, index, "ERR numkeys should be greater than 0"u8, out var keys))
        {
            return false;
        }

        // Compared without a sum, which a huge number would overflow.
        var end = keys < context.Count - index - 1 ? index + 1 + (int)keys : context.Count;
        var isSecond = end < context.Count && context.IsWord(end, secondEnd);
        if (end == context.Count || (!isSecond && !context.IsWord(end, firstEnd)))
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        var count = 1L;
        var option = end + 1;
        if (option + 1 < context.Count && context.IsWord(option, "count"u8))
        {
            if (!PositiveArgument.TryRead(context, option + 1, "ERR count should be greater than 0"u8, out count))
            {
                return false;
            }

            option += 2;
        }

        if (option < context.Count)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        arguments = new PopArguments(index + 1, (int)keys, isSecond, count);
        return true;
    }
}
