namespace Strata.Server.Diagnostics;

/// <summary>
/// LATENCY: when events took as long as <c>latency-monitor-threshold</c> or longer. All members may be called from any
/// thread. They take a lock, which costs nothing that matters: an event that comes here took a millisecond at least.
/// </summary>
public sealed class LatencyMonitor
{
    /// <summary>A command whose time is bounded by little more than its bytes.</summary>
    public const string FastCommand = "fast-command";

    /// <summary>Any other command.</summary>
    public const string Command = "command";

    /// <summary>Deleting expired keys in the background, one shard at a time.</summary>
    public const string ExpireCycle = "expire-cycle";

    /// <summary>Evicting keys to make room, one shard at a time.</summary>
    public const string EvictionCycle = "eviction-cycle";

    private readonly TimeProvider _clock;
    private readonly Lock _lock = new();
    private readonly SortedDictionary<string, LatencySeries> _series = new(StringComparer.Ordinal);

    /// <summary>Dates its samples by <paramref name="clock"/>.</summary>
    public LatencyMonitor(TimeProvider clock)
    {
        _clock = clock;
    }

    /// <summary>All series, by name.</summary>
    public IReadOnlyList<LatencySeries> All
    {
        get
        {
            lock (_lock)
            {
                return [.. _series.Values];
            }
        }
    }

    /// <summary>Takes in an event that reached the threshold.</summary>
    public void Add(string name, long milliseconds)
        => Add(name, milliseconds, _clock.GetUtcNow().ToUnixTimeSeconds());

    /// <summary>The series of an event, or null when it never reached the threshold.</summary>
    public LatencySeries? Find(string name)
    {
        lock (_lock)
        {
            return _series.GetValueOrDefault(name);
        }
    }

    /// <summary>Forgets the samples of an event, whatever the case of its name, or of all.</summary>
    /// <returns>How many events were forgotten.</returns>
    public int Reset(string? name = null)
    {
        lock (_lock)
        {
            var names = _series.Keys
                .Where(key => name == null || key.Equals(name, StringComparison.OrdinalIgnoreCase))
                .ToList();
            names.ForEach(key => _series.Remove(key));
            return names.Count;
        }
    }

    internal void Add(string name, long milliseconds, long unixSeconds)
    {
        lock (_lock)
        {
            var series = _series.GetValueOrDefault(name) ?? new LatencySeries(name, [], 0);
            _series[name] = series.With(new LatencySample(unixSeconds, milliseconds));
        }
    }
}
