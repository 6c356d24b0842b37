namespace Strata.Storage.Log;

/// <summary>
/// The time of a record's last access as its header keeps it: seconds modulo 2^24, which come round after 194 days
/// (Redis's LRU clock).
/// </summary>
public static class AccessClock
{
    private const int Bits = 24;
    private const int Mask = (1 << Bits) - 1;

    // Set back by as much, the clock does not make what was just used look the oldest of all.
    private const int LargestSetBackSeconds = 24 * 60 * 60;

    /// <summary>The clock at <paramref name="nowMs"/>, milliseconds since 1970.</summary>
    public static int At(long nowMs) => (int)(nowMs / 1000) & Mask;

    /// <summary>Seconds from <paramref name="accessed"/> to <paramref name="now"/>, both as <see cref="At"/> gives
    /// them.</summary>
    public static int IdleSeconds(int accessed, int now)
    {
        var seconds = (now - accessed) & Mask;
        return seconds > Mask - LargestSetBackSeconds ? 0 : seconds;
    }
}
