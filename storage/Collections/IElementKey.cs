namespace Strata.Storage.Collections;

/// <summary>What an <see cref="ElementTable"/> must know of its elements' blocks.</summary>
public unsafe interface IElementKey
{
    /// <summary>The bytes by which an element is found.</summary>
    static abstract ReadOnlySpan<byte> KeyOf(byte* block);
}
