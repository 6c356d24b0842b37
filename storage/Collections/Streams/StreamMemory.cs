using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>Where the parts of a large stream lie; what they take is counted with the stream, and with the group they
/// are of.</summary>
/// <param name="heap">The shard's heap.</param>
/// <param name="root">The stream.</param>
/// <param name="group">The group, or null.</param>
internal readonly unsafe struct StreamMemory(SlabHeap heap, StreamRoot* root, GroupBlock* group = null)
{
    private readonly StreamRoot* _root = root;
    private readonly GroupBlock* _group = group;

    public SlabHeap Heap { get; } = heap;

    /// <inheritdoc cref="SlabHeap.Allocate"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Allocate(int bytes)
    {
        var block = Heap.Allocate(bytes);
        AddWeight(SlabHeap.SizeOf(bytes));
        return block;
    }

    /// <inheritdoc cref="SlabHeap.Free"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(byte* block, int bytes)
    {
        Heap.Free(block, bytes);
        AddWeight(-SlabHeap.SizeOf(bytes));
    }

    /// <summary>Counts bytes of the heap.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddWeight(long bytes)
    {
        _root->Weight += bytes;
        if (_group != null)
        {
            _group->Weight += bytes;
        }
    }

    /// <summary>Counts bytes of the group in a packed value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddPacked(long bytes)
    {
        _root->GroupBytes += bytes;
        if (_group != null)
        {
            _group->PackedBytes += bytes;
        }
    }
}
