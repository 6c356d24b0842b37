namespace Strata.Storage.Collections.Hashes;

/// <summary>Up to where a hash is packed.</summary>
/// <param name="MaxEntries">Fields.</param>
/// <param name="MaxValueBytes">Bytes of each field and each value.</param>
public readonly record struct HashLimits(long MaxEntries, long MaxValueBytes)
{
    /// <summary>Whether a field with its value may be in a packed hash.</summary>
    public bool Allow(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
        => field.Length <= MaxValueBytes && value.Length <= MaxValueBytes;
}
