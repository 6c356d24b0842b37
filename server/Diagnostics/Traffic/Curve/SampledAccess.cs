namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>An access to a key that the curve is made from.</summary>
/// <param name="Hash">The key's hash.</param>
/// <param name="Bytes">Memory that the key takes with its value, by now; 0 where it is not there.</param>
/// <param name="ExpiresAt">When it expires, seconds since 1970; 0 for never.</param>
/// <param name="IsRead">Whether it was read, and counts as a hit or a miss.</param>
internal readonly record struct SampledAccess(ulong Hash, uint Bytes, uint ExpiresAt, bool IsRead)
{
    /// <summary>Whether nobody knows if the server itself had the key when it was read: it was looked at later.
    /// </summary>
    public bool IsUnclear { get; init; }

    /// <summary>What the key is called.</summary>
    public SampledName Name { get; init; }

    /// <summary>Whether the server itself did not have the key.</summary>
    public bool IsMissed => Bytes == 0;
}
