namespace Strata.Server.Persistence;

/// <summary>Whether the server is loading its data at start, and how far it is. Written by who loads; any thread may
/// read it.</summary>
internal sealed class LoadingState
{
    private volatile bool _isLoading;
    private long _loadedBytes;
    private long _keys;

    /// <summary>Whether commands are told to come back later.</summary>
    public bool IsLoading => _isLoading;

    /// <summary>When it began, milliseconds since 1970.</summary>
    public long StartedMs { get; private set; }

    /// <summary>Bytes to be loaded.</summary>
    public long TotalBytes { get; private set; }

    /// <summary>Bytes loaded by now.</summary>
    public long LoadedBytes
    {
        get => Volatile.Read(ref _loadedBytes);
        set => Volatile.Write(ref _loadedBytes, value);
    }

    /// <summary>Keys loaded, also after the end.</summary>
    public long Keys => Volatile.Read(ref _keys);

    /// <summary>Keys that were passed over because their time had come, also after the end.</summary>
    public long ExpiredKeys { get; set; }

    /// <summary>How far it is.</summary>
    public long Percent => 100 * LoadedBytes / Math.Max(1, TotalBytes);

    /// <summary>Loading begins.</summary>
    public void Begin(long totalBytes, DateTimeOffset now)
    {
        StartedMs = now.ToUnixTimeMilliseconds();
        TotalBytes = totalBytes;
        LoadedBytes = 0;
        _keys = 0;
        ExpiredKeys = 0;
        _isLoading = true;
    }

    /// <summary>Keys were loaded; on any thread that loads.</summary>
    public void AddKeys(long count) => Interlocked.Add(ref _keys, count);

    /// <summary>All is loaded.</summary>
    public void End() => _isLoading = false;

    /// <summary>Milliseconds since it began.</summary>
    /// <param name="nowMs">The time; a worker's may be that of the turn in which it began.</param>
    public long ElapsedMs(long nowMs) => Math.Max(0, nowMs - StartedMs);

    /// <summary>Seconds that are left, about, at the pace so far.</summary>
    public long EtaSeconds(long nowMs)
    {
        var elapsedMs = Math.Max(1, ElapsedMs(nowMs));
        return LoadedBytes == 0 ? 1 : (long)((double)elapsedMs * (TotalBytes - LoadedBytes) / LoadedBytes / 1000);
    }
}
