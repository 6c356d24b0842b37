using Strata.Storage.Runtime;

namespace Strata.Storage.Log;

/// <summary>
/// How often records are accessed, which a log may keep in place of when. Of the 24 bits in a record's header the upper
/// sixteen are then minutes, which come round after 45 days, and the low eight a counter that grows the more slowly the
/// larger it is (Morris, CACM 1978) and falls with time, as Redis's for its LFU policies does
/// (redis.io, "Key eviction", "The new LFU mode").
/// </summary>
internal sealed class AccessFrequency
{
    /// <summary>The counter's largest value.</summary>
    public const int MaxCount = byte.MaxValue;

    /// <summary>What a new record has, so that it is not the first to go.</summary>
    private const int FirstCount = 5;

    private const int CountBits = 8;
    private const int MinuteMask = ushort.MaxValue;
    private const long MinuteMs = 60_000;

    private uint _coin;

    /// <summary>A way of counting.</summary>
    /// <param name="settings">How fast counters grow and fall.</param>
    /// <param name="seed">What chance begins with.</param>
    public AccessFrequency(FrequencySettings settings, int seed)
    {
        Settings = settings;
        _coin = ((uint)seed << 1) | 1;
    }

    /// <summary>How fast counters grow and fall.</summary>
    public FrequencySettings Settings { get; }

    /// <summary>The minute at <paramref name="nowMs"/>, milliseconds since 1970.</summary>
    public static int MinuteAt(long nowMs) => (int)(nowMs / MinuteMs & MinuteMask);

    /// <summary>What a new record has.</summary>
    public static int OfNew(int minute) => With(FirstCount, minute);

    /// <summary>What a record has whose counter is <paramref name="count"/>.</summary>
    public static int With(int count, int minute) => (minute << CountBits) | count;

    /// <summary>The counter of a record, without what it has lost by now.</summary>
    /// <param name="settings">How fast counters fall.</param>
    /// <param name="accessed">What the record has.</param>
    /// <param name="minute">The minute it is.</param>
    public static int CountOf(FrequencySettings settings, int accessed, int minute)
    {
        var count = accessed & MaxCount;
        if (settings.MinutesPerDecay == 0)
        {
            return count;
        }

        var minutes = (minute - (accessed >> CountBits)) & MinuteMask;
        return Math.Max(0, count - (minutes / settings.MinutesPerDecay));
    }

    /// <summary>What a record has after one more access. Safe on any thread: whose coin is lost does not matter.
    /// </summary>
    /// <param name="accessed">What the record has.</param>
    /// <param name="minute">The minute it is.</param>
    public int Counted(int accessed, int minute)
    {
        var count = CountOf(Settings, accessed, minute);
        if (count < MaxCount && Toss() < 1.0 / ((Math.Max(0, count - FirstCount) * (double)Settings.LogFactor) + 1))
        {
            count++;
        }

        return With(count, minute);
    }

    /// <summary>A number from 0 to below 1.</summary>
    private double Toss()
    {
        var coin = XorShift.Next(_coin);
        _coin = coin;
        return coin / (uint.MaxValue + 1.0);
    }
}
