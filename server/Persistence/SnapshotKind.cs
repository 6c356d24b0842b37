namespace Strata.Server.Persistence;

/// <summary>What a snapshot is for.</summary>
internal enum SnapshotKind
{
    /// <summary>BGSAVE, or a save point.</summary>
    Background,

    /// <summary>SAVE: its client waits for it.</summary>
    Awaited,

    /// <summary>The last one before the end: nobody may change anything after its moment.</summary>
    Final,

    /// <summary>The base of the append-only file.</summary>
    Rewrite,
}
