using System.Runtime.CompilerServices;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>What one worker does for the curve: keys are drawn by their hash, by one comparison, and what is drawn
/// waits until the simulation takes it. The worker's thread; the counter and the queue's end are another one's, too.
/// </summary>
internal sealed class CurveSampler(int queueLength)
{
    private uint _threshold = TrafficLimits.CurveFirstThreshold;

    /// <summary>Keys are drawn whose number is below; set by who simulates.</summary>
    public uint Threshold
    {
        get => Volatile.Read(ref _threshold);
        set => Volatile.Write(ref _threshold, value);
    }

    /// <summary>Keys that commands have read, in all.</summary>
    public long Reads { get; set; }

    /// <summary>What was drawn.</summary>
    public AccessQueue Queue { get; } = new(queueLength);

    /// <summary>Whether a key is drawn.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsDrawn(ulong hash, uint threshold) => MiniCache.NumberOf(hash) < threshold;
}
