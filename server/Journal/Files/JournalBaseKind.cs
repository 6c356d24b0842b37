namespace Strata.Server.Journal.Files;

/// <summary>As what a base is written.</summary>
internal enum JournalBaseKind
{
    /// <summary>RDB.</summary>
    Rdb,

    /// <summary>Commands.</summary>
    Commands,

    /// <summary>A checkpoint, which names files of the tier.</summary>
    Checkpoint,
}
