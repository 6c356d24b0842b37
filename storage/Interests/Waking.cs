namespace Strata.Storage.Interests;

/// <summary>
/// Numbers of those whom one transaction or script wakes, in the order in which it fills their keys: they are served in
/// that order, as by Redis, and who comes before another one there may take from any of its keys, though the other one
/// has waited longer for it.
/// </summary>
public static class Waking
{
    private const int OrderBits = 24;

    private static long s_last;

    /// <summary>Whether one who was woken comes before another one who was woken together with it.</summary>
    public static bool IsBefore(long one, long other) => AreTogether(one, other) && one < other;

    /// <summary>The number of the first who is woken.</summary>
    internal static long Begin() => Interlocked.Increment(ref s_last) << OrderBits;

    /// <summary>The number of the next one.</summary>
    internal static long Behind(long before) => before + 1;

    /// <summary>Whether two were woken together.</summary>
    internal static bool AreTogether(long one, long other) => one != 0 && one >> OrderBits == other >> OrderBits;
}
