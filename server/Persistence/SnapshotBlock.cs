using Strata.Server.Rdb;

namespace Strata.Server.Persistence;

/// <summary>Keys of one database, or a part of one, on their way to the file.</summary>
/// <param name="Output">Their bytes.</param>
/// <param name="Database">The database's number.</param>
/// <param name="StandsByItself">Whether all up to its end can be read without what follows.</param>
internal readonly record struct SnapshotBlock(RdbOutput Output, int Database, bool StandsByItself)
{
    /// <summary>What they are.</summary>
    public BlockContent Content { get; init; }

    /// <summary>The shard that pages and entries belong to.</summary>
    public int Shard { get; init; }
}
