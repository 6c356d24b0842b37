using System.Runtime.CompilerServices;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// What one worker does for the curve: keys are drawn by their hash, by one comparison, and what is drawn waits until
/// the simulation takes it. Where too much waits, it draws only half of the keys from then on, and so again: were some
/// accesses of a key dropped, and others not, a cache would miss what it should have. The worker's thread; the counter,
/// the threshold and the queue's end are another one's, too.
/// </summary>
internal sealed class CurveSampler
{
    // Of a hot key's accesses one in so many is enough for the caches to keep it; its reads are counted elsewhere.
    private const uint HotAccessesPassed = 16;

    private readonly int _firstMark;
    private uint _threshold = TrafficLimits.CurveFirstThreshold;
    private IReadOnlySet<ulong> _hotKeys = new HashSet<ulong>();
    private uint _hot;
    private int _mark;

    /// <summary>Nothing was drawn yet.</summary>
    /// <param name="queueLength">How many accesses may wait, a power of two.</param>
    public CurveSampler(int queueLength)
    {
        Queue = new AccessQueue(queueLength);
        _firstMark = queueLength / 4 * 3;
        _mark = _firstMark;
    }

    /// <summary>Keys are drawn whose number is below.</summary>
    public uint Threshold
    {
        get => Volatile.Read(ref _threshold);
        set => Volatile.Write(ref _threshold, value);
    }

    /// <summary>Keys whose reads are counted elsewhere; set by who simulates.</summary>
    public IReadOnlySet<ulong> HotKeys
    {
        set => Volatile.Write(ref _hotKeys, value);
    }

    /// <summary>Keys that commands have read, in all.</summary>
    public long Reads { get; set; }

    /// <summary>What was drawn.</summary>
    public AccessQueue Queue { get; }

    /// <summary>Whether a key is drawn.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsDrawn(ulong hash, uint threshold) => MiniCache.NumberOf(hash) < threshold;

    /// <summary>Whether an access to a key that is drawn is to be looked at: there is room, and the key is not so hot
    /// that few of its accesses tell all.</summary>
    public bool Takes(ulong hash)
    {
        var waiting = Queue.Count;
        if (waiting < _firstMark)
        {
            _mark = _firstMark;
        }
        else if (waiting >= _mark && Threshold > TrafficLimits.CurveLowestThreshold)
        {
            var fitting = Threshold / 2;
            Threshold = waiting < Queue.Capacity ? fitting : Math.Min(fitting, MiniCache.NumberOf(hash));
            _mark += (Queue.Capacity - _mark + 1) / 2;
        }

        return IsDrawn(hash, Threshold)
            && (!Volatile.Read(ref _hotKeys).Contains(hash) || (++_hot & (HotAccessesPassed - 1)) == 0);
    }

    /// <summary>Draws as many keys as who simulates wants, unless it has just begun to draw fewer.</summary>
    /// <param name="seen">The threshold that it had.</param>
    /// <param name="wanted">The one that it is to have.</param>
    public void Follow(uint seen, uint wanted) => _ = Interlocked.CompareExchange(ref _threshold, wanted, seen);
}
