using System.Runtime.InteropServices;
using Strata.Server.Diagnostics.Keyspace;
using Strata.Server.Diagnostics.Traffic;
using Strata.Storage.Census;

namespace Strata.Server.Diagnostics;

/// <summary>What part of all one key, or one prefix, has. It is looked at again and again: what a look needs is kept
/// for the next one, so that it leaves no garbage. Any thread; one looks at a time.</summary>
/// <param name="workers">What workers have noted of their clients' keys.</param>
/// <param name="shards">What shards know of their keys by name.</param>
/// <param name="clock">The clock.</param>
internal sealed class LargestShares(
    IEnumerable<KeyTraffic> workers, IEnumerable<KeyCensus> shards, TimeProvider clock)
{
    private readonly Lock _lock = new();
    private readonly FrequentKeysCopy _watched = new();
    private readonly Dictionary<ulong, (double PerSecond, double Error)> _rates = [];
    private readonly PrefixList _prefixes = new(PrefixRule.Usual);

    /// <summary>The part that the hottest key has; 0 where nothing was noted.</summary>
    public double OfKey(HotKeyMeasure measure)
    {
        lock (_lock)
        {
            _rates.Clear();
            foreach (var worker in workers)
            {
                if (worker.TryCopy(measure, clock.GetTimestamp(), _watched))
                {
                    AddWatched();
                }
            }

            var (largest, all) = (0.0, 0.0);
            foreach (var (perSecond, error) in _rates.Values)
            {
                largest = Math.Max(largest, perSecond - (error / 2));
                all += perSecond;
            }

            return all > 0 ? largest / all : 0;
        }
    }

    /// <summary>The part that the prefix has which takes most; 0 where there are no keys.</summary>
    /// <param name="turns">In what turns it is looked for; null where nobody is held up by it.</param>
    public double OfPrefix(ShortTurns? turns)
    {
        lock (_lock)
        {
            _prefixes.Clear();
            foreach (var shard in shards)
            {
                _prefixes.Add(shard, static (_, _) => true);
                turns?.EndIfLong();
            }

            return _prefixes.LargestShare();
        }
    }

    private void AddWatched()
    {
        foreach (ref readonly var key in _watched.Keys)
        {
            ref var rate = ref CollectionsMarshal.GetValueRefOrAddDefault(_rates, key.Hash, out _);
            rate.PerSecond += key.Weight * _watched.PerSecond;
            rate.Error += key.Error * _watched.PerSecond;
        }
    }
}
