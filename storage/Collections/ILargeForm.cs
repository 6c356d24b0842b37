using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// What a shard must know of a type's large collections to count, free and move them. A large collection is a root
/// block in the shard's <see cref="SlabHeap"/> and what hangs on it; it never moves while it lives. All members are
/// called under the lease.
/// </summary>
internal unsafe interface ILargeForm
{
    /// <summary>Elements.</summary>
    long CountOf(byte* root);

    /// <summary>Bytes of all its blocks, the root included, as <see cref="SlabHeap.SizeOf"/> counts.</summary>
    long WeightOf(byte* root);

    /// <summary>Bytes of the whole collection as a packed value.</summary>
    long PackedBytesOf(byte* root);

    /// <summary>Writes the whole collection as a packed value of <see cref="PackedBytesOf"/> bytes.</summary>
    void Pack(byte* root, Span<byte> packed);

    /// <summary>Makes a large collection of a packed value, however small.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room; nothing is left behind.</exception>
    byte* Unpack(SlabHeap heap, ReadOnlySpan<byte> packed);

    /// <summary>Frees about <paramref name="elements"/> elements of a collection that nobody will look at again.
    /// </summary>
    /// <returns>Whether nothing is left, not even the root.</returns>
    bool FreeSome(SlabHeap heap, byte* root, int elements);
}
