using System.Diagnostics;

namespace Strata.Storage.Sharding;

/// <summary>
/// The background work of the shards whose home one worker is: expiry, eviction, compaction, freeing. It is done in
/// slices that are short enough for clients not to notice, which follow each other quickly while there is much to do,
/// for at most a quarter of the time. Shards take turns; one with nothing to do leaves its time to the next.
/// </summary>
public sealed class ShardCycles
{
    // One part of the time in so many.
    private const int TimeShare = 4;

    private readonly ShardMap _shards;
    private readonly TimeProvider _clock;
    private readonly int _worker;
    private readonly int _workers;
    private int _next;
    private bool _isBehind;

    /// <summary>The shards of one worker out of several.</summary>
    public ShardCycles(ShardMap shards, int worker, int workers)
    {
        _shards = shards;
        _clock = shards.Clock;
        _worker = worker;
        _workers = workers;
        _next = worker;
    }

    /// <summary>Milliseconds until the next slice is due.</summary>
    /// <param name="usualMs">Where nothing is left to do.</param>
    public int PeriodMs(int usualMs)
        => _isBehind ? Math.Min(usualMs, Limits.BackgroundSliceMs * TimeShare) : usualMs;

    /// <summary>Does a slice.</summary>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    /// <param name="elapsedMs">Milliseconds since the last slice.</param>
    /// <returns>The longest that deleting expired keys in one shard took, and making room, since the last slice; in
    /// ticks of <see cref="Stopwatch"/>.</returns>
    public (long ExpireTicks, long EvictionTicks) Run(long nowMs, long elapsedMs)
    {
        var sliceMs = Math.Clamp((double)elapsedMs / TimeShare, 0, Limits.BackgroundSliceMs);
        var left = (long)(sliceMs * Stopwatch.Frequency / 1000);
        var deadline = _clock.GetTimestamp() + left;
        var longest = (ExpireTicks: 0L, EvictionTicks: 0L);
        for (var visited = _worker; visited < _shards.Count && left > 0; visited += _workers)
        {
            var shard = _shards[_next];
            _next = _next + _workers < _shards.Count ? _next + _workers : _worker;
            if (shard.Lease.TryAcquire())
            {
                shard.RunCycle(_worker, nowMs, left);
                var (expireTicks, evictionTicks) = shard.Statistics.TakeLongest();
                shard.Lease.Release();
                longest.ExpireTicks = Math.Max(longest.ExpireTicks, expireTicks);
                longest.EvictionTicks = Math.Max(longest.EvictionTicks, evictionTicks);
                left = deadline - _clock.GetTimestamp();
            }
        }

        _isBehind = left <= 0;
        return longest;
    }
}
