using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// What a shard must know of a type's large collections to count, free and move them. A large collection is a root
/// block in the shard's <see cref="SlabHeap"/> and what hangs on it; it never moves while it lives. What takes the
/// longer the more elements there are is done in steps; an effort is about as many elements, of which long ones count
/// for several (<see cref="StepEffort"/>). All members are called under the lease.
/// </summary>
internal unsafe interface ILargeForm
{
    /// <summary>Elements.</summary>
    long CountOf(byte* root);

    /// <summary>Bytes of all its blocks, the root included, as <see cref="SlabHeap.SizeOf"/> counts.</summary>
    long WeightOf(byte* root);

    /// <summary>Bytes of the whole collection as a packed value.</summary>
    long PackedBytesOf(byte* root);

    /// <summary>Goes on to write the collection as a packed value of <see cref="PackedBytesOf"/> bytes.</summary>
    void PackSome(byte* root, Span<byte> packed, ref PackingCursor cursor, int effort);

    /// <summary>Makes a large collection without elements, which nobody may look at before it has some.</summary>
    /// <param name="heap">Where it lives.</param>
    /// <param name="expected">Elements that it has room for from the start.</param>
    /// <exception cref="MemoryExhaustedException">The heap has no room; nothing is left behind.</exception>
    byte* Create(SlabHeap heap, int expected);

    /// <summary>Goes on to add the elements of a packed value, however small, to a collection made for them.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room; the collection is to be freed.</exception>
    void UnpackSome(SlabHeap heap, byte* root, ReadOnlySpan<byte> packed, ref PackingCursor cursor, int effort);

    /// <summary>Frees about <paramref name="elements"/> elements of a collection that nobody will look at again.
    /// </summary>
    /// <returns>Whether nothing is left, not even the root.</returns>
    bool FreeSome(SlabHeap heap, byte* root, int elements);
}
