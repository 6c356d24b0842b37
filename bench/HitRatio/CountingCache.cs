using Strata.Bench.Keys;

namespace Strata.Bench.HitRatio;

/// <summary>
/// What no server can be: a cache that has counted every read there ever was of every key, holds those read most, of
/// these with the same count those read last, and spends no byte beside keys and values. Where keys are drawn
/// independently, knowing more of them takes knowing the future.
/// </summary>
internal sealed class CountingCache(TrafficPlan plan)
{
    private readonly Dictionary<long, (long Count, long At)> _reads = [];
    private readonly SortedSet<(long Count, long At, long Key)> _held = [];
    private long _heldBytes;
    private long _clock;

    /// <summary>Keys that it holds.</summary>
    public int Count => _held.Count;

    /// <summary>Plays the next reads and says how many of them hit.</summary>
    public long Play(IKeySource keys, long reads)
    {
        var hits = 0L;
        for (var i = 0L; i < reads && keys.TryNext(out var key); i++)
        {
            hits += Read(key) ? 1 : 0;
        }

        return hits;
    }

    private bool Read(long key)
    {
        var (count, at) = _reads.GetValueOrDefault(key);
        var isHit = _held.Remove((count, at, key));
        _reads[key] = (++count, ++_clock);
        _held.Add((count, _clock, key));
        _heldBytes += isHit ? 0 : BytesOf(key);
        while (_heldBytes > plan.MaxMemoryBytes)
        {
            var least = _held.Min;
            _held.Remove(least);
            _heldBytes -= BytesOf(least.Key);
        }

        return isHit;
    }

    private long BytesOf(long key) => plan.KeyBytes + plan.ValueBytesOf(key);
}
