namespace Strata.Server.Diagnostics.Traffic;

/// <summary>A key that is watched among the most frequent, but for its bytes.</summary>
internal struct WatchedKey
{
    /// <summary>The key's hash, by which it is known.</summary>
    public ulong Hash;

    /// <summary>What was added for it, and for whom it took the place of: never too little.</summary>
    public double Weight;

    /// <summary>How much of that may be of others, at most.</summary>
    public double Error;

    /// <summary>Bytes of the whole key.</summary>
    public int Length;

    /// <summary>Its place in the heap.</summary>
    public short Place;

    /// <summary>Its physical database.</summary>
    public byte Database;
}
