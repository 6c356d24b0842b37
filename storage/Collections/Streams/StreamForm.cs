using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>Large streams for their shard.</summary>
internal sealed unsafe class StreamForm : ILargeForm
{
    public static StreamForm Instance { get; } = new();

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((StreamRoot*)root)->Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((StreamRoot*)root)->Weight;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => ((StreamRoot*)root)->PackedBytes;

    /// <inheritdoc/>
    public void PackSome(byte* root, Span<byte> packed, ref PackingCursor cursor, int effort)
    {
        var stream = (StreamRoot*)root;
        if (cursor.Offset == 0)
        {
            PackedStream.WriteHeader(packed, stream);
            cursor.Offset = PackedStream.HeaderBytes;
            cursor.Stream = new StreamWalk(stream);
        }

        while (effort > 0)
        {
            if (!cursor.Stream.TryNextLarge(out var part))
            {
                cursor.IsAtEnd = true;
                return;
            }

            if (part.Kind == StreamPartKind.Group && !cursor.HasGroups)
            {
                cursor.HasGroups = true;
                cursor.Offset += PackedStream.WriteGroupCount(packed[cursor.Offset..], stream->Groups.Count);
            }

            cursor.Offset += PackedStream.Write(packed[cursor.Offset..], part);
            cursor.Elements++;
            effort -= part.Effort;
        }
    }

    /// <inheritdoc/>
    public byte* Create(SlabHeap heap, int expected) => (byte*)StreamRoot.Create(heap);

    /// <inheritdoc/>
    public void UnpackSome(
        SlabHeap heap, byte* root, ReadOnlySpan<byte> packed, ref PackingCursor cursor, int effort)
    {
        var stream = (StreamRoot*)root;
        if (cursor.Offset == 0)
        {
            cursor.Offset = PackedStream.HeaderBytes;
            cursor.Stream = new StreamWalk(packed);
            fixed (byte* value = packed)
            {
                stream->Meta = *PackedStream.MetaOf(value);
            }
        }

        var builder = new StreamBuilder(heap, stream, ref cursor.Group, ref cursor.Consumer);
        while (effort > 0)
        {
            if (!cursor.Stream.TryNextPacked(packed, out var part))
            {
                cursor.IsAtEnd = true;
                return;
            }

            builder.Add(part);
            cursor.Offset = cursor.Stream.PackedOffset;
            cursor.Elements++;
            effort -= part.Effort;
        }
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements)
    {
        var stream = (StreamRoot*)root;
        var memory = new StreamMemory(heap, stream);
        for (; elements > 0 && !stream->Blocks.IsGone; elements--)
        {
            var count = stream->Blocks.CountOfLastLeaf(out var place);
            for (; count > 0; count--)
            {
                var block = (StreamBlock*)*place.Words;
                memory.Free((byte*)block, block->Capacity);
                place.MoveNext();
                elements--;
            }

            stream->Blocks.FreeLastLeaf(memory);
        }

        while (elements > 0 && stream->Groups.Count > 0)
        {
            var group = GroupBlock.Of(stream->Groups.Last);
            if (GroupBlock.FreeSome(memory, group, ref elements))
            {
                stream->Groups.Remove(memory, GroupBlock.NamedOf(group));
                GroupBlock.Free(memory, group);
            }
        }

        if (elements <= 0)
        {
            return false;
        }

        heap.Free(root, sizeof(StreamRoot));
        return true;
    }
}
