namespace Strata.Server.Text;

/// <summary>
/// Redis's glob matching over bytes, as KEYS, SCAN, CONFIG GET and the pattern subscriptions use it: <c>*</c> any run,
/// <c>?</c> any byte, <c>[abc]</c>, <c>[a-z]</c> and <c>[^a]</c> a byte of a set, <c>\x</c> the byte x itself.
/// </summary>
/// <remarks>
/// Only the last <c>*</c> passed is ever returned to: whatever an earlier one could match by taking more, the later one
/// can match too. Time is therefore bounded by pattern length times value length (no pattern is exponential), and
/// nothing is allocated. Incomplete patterns match as in Redis: a set that is not closed ends with the pattern, a
/// trailing <c>\</c> stands for itself, and an empty value matches no pattern but the empty one and a lone <c>*</c>.
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

        var patternAt = 0;
        var valueAt = 0;
        var afterStar = -1;
        var starTakesUntil = 0;
        while (valueAt < value.Length)
        {
            if (patternAt < pattern.Length && pattern[patternAt] == (byte)'*')
            {
                afterStar = ++patternAt;
                if (afterStar == pattern.Length)
                {
                    return true;
                }

                starTakesUntil = valueAt;
            }
            else if (patternAt < pattern.Length && MatchesOne(pattern, ref patternAt, value[valueAt], ignoreCase))
            {
                valueAt++;
            }
            else if (afterStar >= 0)
            {
                patternAt = afterStar;
                valueAt = ++starTakesUntil;
            }
            else
            {
                return false;
            }
        }

        return pattern[patternAt..].IndexOfAnyExcept((byte)'*') < 0;
    }

    /// <summary>Whether the pattern may match more than one value, by what Redis takes for a sign of that.</summary>
    public static bool HasWildcard(ReadOnlySpan<byte> pattern) => pattern.IndexOfAny("*?["u8) >= 0;

    /// <summary>
    /// Matches one byte against the element at <paramref name="at"/> and steps over the element if it matches.
    /// </summary>
    private static bool MatchesOne(ReadOnlySpan<byte> pattern, ref int at, byte value, bool ignoreCase)
    {
        var next = at + 1;
        bool matches;
        switch (pattern[at])
        {
            case (byte)'?':
                matches = true;
                break;
            case (byte)'[':
                matches = MatchesSet(pattern, ref next, value, ignoreCase);
                break;
            case (byte)'\\' when next < pattern.Length:
                matches = Same(pattern[next++], value, ignoreCase);
                break;
            default:
                matches = Same(pattern[at], value, ignoreCase);
                break;
        }

        at = matches ? next : at;
        return matches;
    }

    /// <summary>
    /// Matches a set; <paramref name="at"/> enters behind its bracket and leaves behind its closing one.
    /// </summary>
    private static bool MatchesSet(ReadOnlySpan<byte> pattern, ref int at, byte value, bool ignoreCase)
    {
        var negated = at < pattern.Length && pattern[at] == (byte)'^';
        at += negated ? 1 : 0;
        var found = false;
        while (at < pattern.Length && pattern[at] != (byte)']')
        {
            var rest = pattern.Length - at;
            if (pattern[at] == (byte)'\\' && rest >= 2)
            {
                // Redis compares an escaped byte of a set exactly, also when case is ignored.
                found |= pattern[at + 1] == value;
                at += 2;
            }
            else if (rest >= 3 && pattern[at + 1] == (byte)'-')
            {
                found |= InRange(pattern[at], pattern[at + 2], value, ignoreCase);
                at += 3;
            }
            else
            {
                found |= Same(pattern[at], value, ignoreCase);
                at++;
            }
        }

        at = Math.Min(at + 1, pattern.Length);
        return found != negated;
    }

    private static bool InRange(byte first, byte last, byte value, bool ignoreCase)
    {
        var (low, high) = first <= last ? (first, last) : (last, first);
        return ignoreCase
            ? ToLower(value) >= ToLower(low) && ToLower(value) <= ToLower(high)
            : value >= low && value <= high;
    }

    private static bool Same(byte left, byte right, bool ignoreCase) =>
        left == right || (ignoreCase && ToLower(left) == ToLower(right));

    private static byte ToLower(byte value) => value is >= (byte)'A' and <= (byte)'Z' ? (byte)(value | 0x20) : value;
}
