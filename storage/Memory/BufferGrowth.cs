namespace Strata.Storage.Memory;

/// <summary>How large a buffer becomes that is too small: a small one twice as large, so that it seldom grows; a large
/// one, all of which counts against the memory limit, by a quarter.</summary>
public static class BufferGrowth
{
    private const long LargeBytes = 1 << 20;

    /// <summary>The capacity to grow to, bytes.</summary>
    /// <param name="capacity">What there is.</param>
    /// <param name="needed">What is needed at least.</param>
    public static long Next(long capacity, long needed)
        => Math.Max(needed, capacity < LargeBytes ? capacity * 2 : capacity + (capacity / 4));
}
