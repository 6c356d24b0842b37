namespace Strata.Storage.Sharding;

/// <summary>How many keys of each database a shard holds; any thread may read them.</summary>
public sealed class DatabaseCounters
{
    private readonly long[] _keys = new long[Limits.MaxDatabases];
    private readonly long[] _expires = new long[Limits.MaxDatabases];

    /// <summary>Keys of a database.</summary>
    public long Keys(byte database) => Volatile.Read(ref _keys[database]);

    /// <summary>Keys of a database that have an expiry.</summary>
    public long Expires(byte database) => Volatile.Read(ref _expires[database]);

    /// <summary>Keys of all databases that have an expiry.</summary>
    public long TotalExpires { get; private set; }

    internal void Add(byte database, bool expires, int sign)
    {
        _keys[database] += sign;
        AddExpires(database, expires ? sign : 0);
    }

    internal void AddExpires(byte database, int delta)
    {
        _expires[database] += delta;
        TotalExpires += delta;
    }

    internal void Clear()
    {
        Array.Clear(_keys);
        Array.Clear(_expires);
        TotalExpires = 0;
    }
}
