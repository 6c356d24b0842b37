namespace Strata.Storage.Log;

/// <summary>What the bits that are strings' own mean of a collection's record.</summary>
public static class CollectionFlags
{
    /// <summary>The value is the address of the collection's root in the shard's heap.</summary>
    public const RecordFlags Large = RecordFlags.Edited;

    /// <summary>The value is packed, but was large in memory, and becomes so before it is used.</summary>
    public const RecordFlags Frozen = RecordFlags.Decimal;
}
