namespace Strata.Server.Text;

/// <summary>
/// Redis's glob matching over bytes, as KEYS, SCAN, CONFIG GET and the pattern subscriptions use it: <c>*</c> any run,
/// <c>?</c> any byte, <c>[abc]</c>, <c>[a-z]</c> and <c>[^a]</c> a byte of a set, <c>\x</c> the byte x itself.
/// </summary>
/// <remarks>
/// Time is bounded by pattern length times value length, and nothing is allocated (<see cref="GlobMatch"/>). Incomplete
/// patterns match as in Redis: a set that is not closed ends with the pattern, a trailing <c>\</c> stands for itself,
/// and an empty value matches no pattern but the empty one and a lone <c>*</c>.
/// </remarks>
public static class GlobPattern
{
    /// <summary>Whether the whole of <paramref name="value"/> matches <paramref name="pattern"/>.</summary>
    /// <param name="pattern">The pattern.</param>
    /// <param name="value">The bytes to match.</param>
    /// <param name="ignoreCase">Whether ASCII letters match in either case.</param>
    public static bool IsMatch(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> value, bool ignoreCase = false)
    {
        if (value.IsEmpty)
        {
            return pattern.IsEmpty || pattern.SequenceEqual("*"u8);
        }

        var known = 0;
        if (!ignoreCase)
        {
            known = GlobMatch.LiteralLength(pattern);
            if (!value.StartsWith(pattern[..known]))
            {
                return false;
            }
        }

        var effort = long.MaxValue;
        return new GlobMatch(known).Go(pattern, value, ignoreCase, ref effort)!.Value;
    }

    /// <summary>Whether the pattern may match more than one value, by what Redis takes for a sign of that.</summary>
    public static bool HasWildcard(ReadOnlySpan<byte> pattern) => pattern.IndexOfAny("*?["u8) >= 0;
}
