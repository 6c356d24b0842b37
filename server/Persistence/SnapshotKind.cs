namespace Strata.Server.Persistence;

/// <summary>What a snapshot is for.</summary>
internal enum SnapshotKind
{
    /// <summary>BGSAVE, or a save point.</summary>
    Background,

    /// <summary>What Redis itself saves while everybody waits: SAVE, DEBUG RELOAD, and FLUSHALL where there are save
    /// points. Another one is begun behind it.</summary>
    Foreground,

    /// <summary>The last one before the end: nobody may change anything after its moment.</summary>
    Final,

    /// <summary>The base of the append-only file.</summary>
    Rewrite,
}
