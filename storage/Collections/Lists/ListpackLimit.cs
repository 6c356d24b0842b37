namespace Strata.Storage.Collections.Lists;

/// <summary>
/// Redis's <c>list-max-listpack-size</c>: from 0 on a number of elements, -1 to -5 a size of 4 to 64 KB. A list that
/// exceeds it is a quicklist, and becomes a listpack again at half of it.
/// </summary>
/// <param name="setting">The directive's value.</param>
public readonly struct ListpackLimit(int setting)
{
    // A limit by number allows no more bytes than this.
    private const int SafeBytes = 8192;
    private const int SmallestBytes = 4096;
    private const int LargestExponent = 4;

    private readonly long _bytes = setting >= 0
        ? SafeBytes
        : (long)SmallestBytes << (int)Math.Min(-(long)setting - 1, LargestExponent);

    private readonly long _count = setting >= 0 ? Math.Max(setting, 1) : long.MaxValue;

    /// <summary>Whether this many elements are within the limit, however small they are.</summary>
    internal bool AllowsCount(long count) => count <= _count;

    /// <summary>Whether a listpack would be too large.</summary>
    internal bool IsExceededBy(long bytes, long count) => bytes > _bytes || count > _count;

    /// <summary>Whether a quicklist is small enough to become a listpack.</summary>
    internal bool HasHalfLeft(long bytes, long count)
        => _count == long.MaxValue ? bytes <= _bytes / 2 : count <= _count / 2;
}
