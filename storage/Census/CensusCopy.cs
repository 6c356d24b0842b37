namespace Strata.Storage.Census;

/// <summary>What a shard knows of its keys, as it was about one moment.</summary>
public sealed class CensusCopy
{
    private readonly long[] _keys = new long[Limits.MaxDatabases];

    /// <summary>The part of all keys that were drawn.</summary>
    public double Rate { get; internal set; }

    /// <summary>Keys of which nothing is known, about: they are on the device since before the start.</summary>
    public double UnreadKeys { get; internal set; }

    /// <summary>All keys that take more bytes are among the largest.</summary>
    public long CompleteAbove { get; internal set; }

    /// <summary>The keys that were drawn.</summary>
    public CensusKeys Sample { get; } = new();

    /// <summary>The largest keys.</summary>
    public CensusKeys Largest { get; } = new();

    /// <summary>Keys of a database in the shard, all of them.</summary>
    /// <param name="database">The database, by its physical number.</param>
    public long KeysOf(byte database) => _keys[database];

    /// <summary>Takes over how many keys there are of a database.</summary>
    internal void SetKeys(byte database, long keys) => _keys[database] = keys;
}
