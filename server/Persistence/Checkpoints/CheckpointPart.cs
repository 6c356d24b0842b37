namespace Strata.Server.Persistence.Checkpoints;

/// <summary>What a part of a checkpoint holds; the numbers stand in the file.</summary>
internal enum CheckpointPart
{
    /// <summary>What the whole file says of itself; the first part, and no other.</summary>
    Header = 1,

    /// <summary>How many keys each database of each shard has.</summary>
    Counts = 2,

    /// <summary>Pages of a shard that are on the device.</summary>
    Pages = 3,

    /// <summary>Entries of a shard's index that point to them.</summary>
    Entries = 4,

    /// <summary>A stretch of an RDB file, which has all other keys.</summary>
    Rdb = 5,

    /// <summary>How many parts there were; the last part, and no other.</summary>
    End = 6,
}
