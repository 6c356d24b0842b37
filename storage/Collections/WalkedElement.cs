namespace Strata.Storage.Collections;

/// <summary>An element of a collection as a <see cref="CollectionWalk"/> met it; its bytes are good until the next one
/// is asked for, or the collection or its record changes.</summary>
public readonly ref struct WalkedElement
{
    /// <summary>The element of a list, the member of a set or sorted set, the name of a field.</summary>
    public ReadOnlySpan<byte> Name { get; init; }

    /// <summary>Of a hash, the field's value.</summary>
    public ReadOnlySpan<byte> Value { get; init; }

    /// <summary>Of a sorted set, the score.</summary>
    public double Score { get; init; }

    /// <summary>Of a set of integers, the member as a number.</summary>
    public long Integer { get; init; }

    /// <summary>Of a hash, when the field expires, milliseconds since 1970; -1 for never.</summary>
    public long ExpiryMs { get; init; }
}
