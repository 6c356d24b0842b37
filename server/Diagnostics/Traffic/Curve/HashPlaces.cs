using System.Numerics;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Where keys that were drawn begin to look for their place in a table of numbers, which is at least half
/// empty.</summary>
internal static class HashPlaces
{
    /// <summary>How many places a table has for so many keys: a power of two.</summary>
    public static int CountFor(int keys) => (int)BitOperations.RoundUpToPowerOf2((uint)keys * 2);

    /// <summary>The place of a key. Not by the bits of the sample number, which are alike for all keys that are drawn.
    /// </summary>
    /// <param name="hash">The key's.</param>
    /// <param name="count">How many places there are.</param>
    public static int Of(ulong hash, int count) => (int)(hash * 0x9E3779B97F4A7C15UL >> 40) & (count - 1);
}
