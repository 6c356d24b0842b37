namespace Strata.Storage.Collections.Streams;

/// <summary>Up to where entries share a block: Redis's <c>stream-node-max-bytes</c> and
/// <c>stream-node-max-entries</c>.</summary>
/// <param name="NodeBytes">Bytes of a listpack that takes no more entries; 0 for as many as a block can have.</param>
/// <param name="NodeEntries">Entries of a block, with those deleted since; 0 for any number.</param>
public readonly record struct StreamLimits(long NodeBytes, long NodeEntries)
{
    /// <summary>What Redis has unless it is told otherwise.</summary>
    public static StreamLimits Default => new(4096, 100);

    /// <summary>Bytes from which on a node takes no more entries. A block is searched and moved as a whole, so it has
    /// an end of its own.</summary>
    internal long LargestNode
        => NodeBytes > 0 ? Math.Min(NodeBytes, Limits.MaxStreamBlockBytes) : Limits.MaxStreamBlockBytes;
}
