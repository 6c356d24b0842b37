using System.Buffers;

namespace Strata.Server.Text;

/// <summary>
/// One match of a glob (<see cref="GlobPattern"/>), which may be made in steps: pattern and value may both be long, and
/// a match takes up to the one's length times the other's. What is literal is compared and looked for many bytes at a
/// time.
/// </summary>
/// <remarks>
/// Only the last <c>*</c> passed is ever returned to: whatever an earlier one could match by taking more, the later one
/// can match too. So no pattern is exponential, and all that is known is a handful of places.
/// </remarks>
public struct GlobMatch
{
    /// <summary>Bytes that are looked at in the time that an element of a reply takes.</summary>
    public const int BytesPerElement = 32;

    // Of what follows a star, up to the next one, the longest run of bytes that stand for themselves is looked for,
    // among so many bytes of the pattern, and so much of it: each place that has it is looked at closely.
    private const int SoughtAmong = 64;
    private const int LongestSought = 16;

    // Bytes that are compared in the time of one that is looked at by itself.
    private const int BytesAtOnce = 16;

    private static readonly SearchValues<byte> s_special = SearchValues.Create("*?[\\"u8);

    private int _patternAt;
    private int _valueAt;
    private int _afterStar; // 0 before the first star.
    private int _starTakesUntil;

    // What is looked for: how long it is, and how far behind the star, in the pattern and in what matches that.
    private int _sought;
    private int _soughtAt;
    private int _soughtOffset;

    // Within a set: where the next member stands, 0 outside of one.
    private int _setAt;
    private bool _isFound;

    /// <summary>A match of a pattern and a value that are known to begin with the same bytes, none of which is special.
    /// </summary>
    /// <param name="known">How many they are.</param>
    public GlobMatch(int known)
    {
        _patternAt = known;
        _valueAt = known;
    }

    /// <summary>How many bytes may be looked at in the time of so many elements of a reply.</summary>
    public static long EffortOf(long elements)
        => elements > long.MaxValue / BytesPerElement ? long.MaxValue : elements * BytesPerElement;

    /// <summary>Bytes with which a pattern begins that stand for themselves.</summary>
    public static int LiteralLength(ReadOnlySpan<byte> pattern)
    {
        var special = pattern.IndexOfAny(s_special);
        return special < 0 ? pattern.Length : special;
    }

    /// <summary>Goes on.</summary>
    /// <param name="pattern">The pattern, the same each time.</param>
    /// <param name="value">The bytes to match, likewise; there is at least one.</param>
    /// <param name="ignoreCase">Whether ASCII letters match in either case.</param>
    /// <param name="effort">How many bytes may be looked at; less those that were, and below 1 where these were all.
    /// </param>
    /// <returns>Whether the whole of the value matches; null where that is not known yet.</returns>
    public bool? Go(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> value, bool ignoreCase, ref long effort)
    {
        while (_valueAt < value.Length)
        {
            if (effort <= 0)
            {
                return null;
            }

            effort--;
            if (_patternAt < pattern.Length && pattern[_patternAt] == (byte)'*')
            {
                _afterStar = ++_patternAt;
                _starTakesUntil = _valueAt;
                if (TryEnd(pattern, value, ignoreCase, ref effort) is { } end)
                {
                    return end;
                }
            }
            else if (_patternAt >= pattern.Length
                || MatchesOne(pattern, value[_valueAt], ignoreCase, ref effort) is false)
            {
                if (_afterStar == 0)
                {
                    return false;
                }

                _patternAt = _afterStar;
                _valueAt = ++_starTakesUntil;
                if (_sought > 0 && !Seek(pattern, value, ref effort))
                {
                    return false;
                }
            }
        }

        return pattern[_patternAt..].IndexOfAnyExcept((byte)'*') < 0;
    }

    /// <summary>Looks at what follows a star.</summary>
    /// <returns>Whether the value matches, where that shows at once.</returns>
    private bool? TryEnd(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> value, bool ignoreCase, ref long effort)
    {
        var rest = pattern[_afterStar..];
        _sought = 0;
        if (rest.IsEmpty)
        {
            return true;
        }

        if (ignoreCase)
        {
            return null;
        }

        var literal = LiteralLength(rest);
        effort -= literal / BytesAtOnce;
        if (literal == rest.Length)
        {
            return value[_valueAt..].EndsWith(rest); // There is no other star.
        }

        Choose(rest[..Math.Min(rest.Length, SoughtAmong)]);
        return _sought == 0 || Seek(pattern, value, ref effort) ? null : false;
    }

    /// <summary>Chooses what to look for: the first of the longest runs. Sets end the search: they may be long.
    /// </summary>
    private void Choose(ReadOnlySpan<byte> rest)
    {
        var (at, offset) = (0, 0);
        while (at < rest.Length && rest[at] is not ((byte)'*' or (byte)'['))
        {
            var run = LiteralLength(rest[at..]);
            if (run > _sought)
            {
                (_sought, _soughtAt, _soughtOffset) = (Math.Min(run, LongestSought), at, offset);
            }

            at += run;
            offset += run;
            if (at < rest.Length && rest[at] is (byte)'?' or (byte)'\\')
            {
                at += rest[at] == (byte)'?' ? 1 : 2;
                offset++;
            }
        }
    }

    /// <summary>Has the star take all before the next place where what follows it may begin.</summary>
    /// <returns>False when there is none.</returns>
    private bool Seek(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> value, ref long effort)
    {
        var from = _starTakesUntil + _soughtOffset;
        var found = from > value.Length ? -1
            : value[from..].IndexOf(pattern.Slice(_afterStar + _soughtAt, _sought));
        effort -= (found < 0 ? Math.Max(0, value.Length - from) : found) / BytesAtOnce;
        if (found < 0)
        {
            return false;
        }

        _starTakesUntil += found;
        (_patternAt, _valueAt) = (_afterStar, _starTakesUntil);
        if (_soughtOffset == 0)
        {
            _patternAt += _sought;
            _valueAt += _sought;
        }

        return true;
    }

    /// <summary>Matches one byte against one element, and steps over both if they match.</summary>
    /// <returns>Whether they do; null where that is not known yet.</returns>
    private bool? MatchesOne(ReadOnlySpan<byte> pattern, byte value, bool ignoreCase, ref long effort)
    {
        var next = _patternAt + 1;
        bool matches;
        switch (pattern[_patternAt])
        {
            case (byte)'?':
                matches = true;
                break;
            case (byte)'[':
                if (!TryMatchSet(pattern, value, ignoreCase, ref effort, out matches, out next))
                {
                    return null;
                }

                break;
            case (byte)'\\' when next < pattern.Length:
                matches = Same(pattern[next++], value, ignoreCase);
                break;
            default:
                matches = Same(pattern[_patternAt], value, ignoreCase);
                break;
        }

        if (matches)
        {
            _patternAt = next;
            _valueAt++;
        }

        return matches;
    }

    /// <summary>Matches a set.</summary>
    /// <returns>False when it is so long that others should have their turn before the rest of it.</returns>
    private bool TryMatchSet(
        ReadOnlySpan<byte> pattern, byte value, bool ignoreCase, ref long effort, out bool matches, out int next)
    {
        var start = _patternAt + 1;
        var isNegated = start < pattern.Length && pattern[start] == (byte)'^';
        var at = _setAt > 0 ? _setAt : start + (isNegated ? 1 : 0);
        var isFound = _setAt > 0 && _isFound;
        (matches, next) = (false, 0);
        while (at < pattern.Length && pattern[at] != (byte)']')
        {
            var rest = pattern.Length - at;
            if (pattern[at] == (byte)'\\' && rest >= 2)
            {
                // Redis compares an escaped byte of a set exactly, also when case is ignored.
                isFound |= pattern[at + 1] == value;
                at += 2;
            }
            else if (rest >= 3 && pattern[at + 1] == (byte)'-')
            {
                isFound |= InRange(pattern[at], pattern[at + 2], value, ignoreCase);
                at += 3;
            }
            else
            {
                isFound |= Same(pattern[at], value, ignoreCase);
                at++;
            }

            if (--effort <= 0)
            {
                (_setAt, _isFound) = (at, isFound);
                return false;
            }
        }

        _setAt = 0;
        next = Math.Min(at + 1, pattern.Length);
        matches = isFound != isNegated;
        return true;
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
