namespace Strata.Server.Persistence;

/// <summary>What a block on its way to the file of a snapshot holds.</summary>
internal enum BlockContent
{
    /// <summary>Keys with their values, or a part of one.</summary>
    Keys,

    /// <summary>Pages that a checkpoint names.</summary>
    Pages,

    /// <summary>Entries that point to them.</summary>
    Entries,
}
