namespace Strata.Storage.Records;

/// <summary>How many keys of each database a shard holds; any thread may read them.</summary>
public sealed class DatabaseCounters
{
    // What lies further ahead counts as this, so that no sum overflows.
    private const long LongestMs = 1L << 43;

    // Sums of times as they count from here stay small: read while a key comes or goes, they are off by its share only.
    private readonly long _originMs;
    private readonly long[] _keys = new long[Limits.MaxDatabases];
    private readonly long[] _expires = new long[Limits.MaxDatabases];
    private readonly long[] _expiryMs = new long[Limits.MaxDatabases];

    /// <summary>Counters of a shard that is made at <paramref name="nowMs"/>, milliseconds since 1970.</summary>
    public DatabaseCounters(long nowMs)
    {
        _originMs = nowMs;
    }

    /// <summary>Keys of a database.</summary>
    public long Keys(byte database) => Volatile.Read(ref _keys[database]);

    /// <summary>Keys of a database that have an expiry.</summary>
    public long Expires(byte database) => Volatile.Read(ref _expires[database]);

    /// <summary>The times that the keys of a database with an expiry have left at <paramref name="nowMs"/>, added up,
    /// milliseconds.</summary>
    public long TimeLeftMs(byte database, long nowMs)
        => Volatile.Read(ref _expiryMs[database]) - (Expires(database) * (nowMs - _originMs));

    /// <summary>Keys of all databases that have an expiry.</summary>
    public long TotalExpires { get; private set; }

    /// <summary>Counts a new key; <paramref name="expiryMs"/> is -1 for none.</summary>
    internal void Add(byte database, long expiryMs)
    {
        _keys[database]++;
        CountExpiry(database, expiryMs, 1);
    }

    /// <summary>Counts a key that is gone.</summary>
    internal void Remove(byte database, long expiryMs)
    {
        _keys[database]--;
        CountExpiry(database, expiryMs, -1);
    }

    /// <summary>Counts a key's change of expiry.</summary>
    internal void ChangeExpiry(byte database, long previousMs, long expiryMs)
    {
        CountExpiry(database, previousMs, -1);
        CountExpiry(database, expiryMs, 1);
    }

    /// <summary>A database was emptied.</summary>
    internal void Clear(byte database)
    {
        TotalExpires -= _expires[database];
        _keys[database] = 0;
        _expires[database] = 0;
        _expiryMs[database] = 0;
    }

    /// <summary>Says how many keys of a database expire, whose times were not known when they were counted.</summary>
    /// <param name="database">The database.</param>
    /// <param name="expiring">How many.</param>
    /// <param name="timeLeftMs">The times that they have left, added up.</param>
    /// <param name="atMs">When that was, milliseconds since 1970.</param>
    internal void SetExpiring(byte database, long expiring, long timeLeftMs, long atMs)
    {
        TotalExpires += expiring - _expires[database];
        _expires[database] = expiring;
        _expiryMs[database] = timeLeftMs + (expiring * (atMs - _originMs));
    }

    internal void Clear()
    {
        Array.Clear(_keys);
        Array.Clear(_expires);
        Array.Clear(_expiryMs);
        TotalExpires = 0;
    }

    private void CountExpiry(byte database, long expiryMs, int sign)
    {
        if (expiryMs >= 0)
        {
            _expires[database] += sign;
            TotalExpires += sign;
            _expiryMs[database] += sign * Math.Min(expiryMs - _originMs, LongestMs);
        }
    }
}
