namespace Strata.Storage.Census;

/// <summary>A key that is known, but for its bytes.</summary>
public struct CensusEntry
{
    /// <summary>The key's hash, by which it is known.</summary>
    public ulong Hash;

    /// <summary>Where its record was when it was looked up last.</summary>
    internal ulong Address;

    /// <summary>Bytes that it takes, as <see cref="Collections.ShardCollections.UsageOf"/> counts; of one on the device
    /// alone, those that it would take.</summary>
    public long Bytes;

    /// <summary>Bytes of its name.</summary>
    public int KeyLength;

    /// <summary>Its physical database.</summary>
    public byte Database;

    /// <summary>Whether its record is on the device alone.</summary>
    public bool IsCold;
}
