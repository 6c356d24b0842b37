using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// The head of a block of entries, those of one node of Redis's: it is followed by the names of the fields that most of
/// them have, as entries of <see cref="PackedForm"/>, and by the entries (<see cref="StreamEntry"/>). It lies in a
/// block of a heap, or in a packed value, and means the same wherever it is.
/// What Redis would keep there is counted, deleted entries too: by that it is decided where the next block begins.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal unsafe struct StreamBlock
{
    /// <summary>The id by which the block is found, and from which those of its entries count: of the first entry it
    /// had.</summary>
    public StreamId FirstId;

    /// <summary>The id of the last entry it had, which may be deleted by now: by that Redis, which keeps such, decides
    /// whether a node is to go (XTRIM MINID ~).</summary>
    public StreamId LastId;

    /// <summary>Bytes of all, this head included.</summary>
    public int Bytes;

    /// <summary>Of a block in a heap, bytes it has room for.</summary>
    public int Capacity;

    /// <summary>Entries.</summary>
    public int Count;

    /// <summary>Entries that were deleted one by one.</summary>
    public int Deleted;

    /// <summary>Fields that stand in the block's front.</summary>
    public int FieldCount;

    /// <summary>Bytes of their names.</summary>
    public int FieldBytes;

    /// <summary>Bytes of the listpack that Redis would have, but for the two counts in its front.</summary>
    public int ListpackBytes;

    /// <summary>The names of the fields in the block's front.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* Fields(StreamBlock* block) => (byte*)(block + 1);

    /// <summary>Where the first entry begins.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* Start(StreamBlock* block) => (byte*)(block + 1) + block->FieldBytes;

    /// <summary>Behind the last entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* End(StreamBlock* block) => (byte*)block + block->Bytes;

    /// <summary>Whether Redis would begin another node for an entry of so many bytes.</summary>
    public static bool IsFull(StreamBlock* block, long entryBytes, in StreamLimits limits)
    {
        var bytes = block->ListpackBytes + ListpackSize.Of(block->Count) + ListpackSize.Of(block->Deleted);
        return bytes + entryBytes >= limits.LargestNode
            || (limits.NodeEntries > 0 && block->Count + (long)block->Deleted >= limits.NodeEntries);
    }

    /// <summary>Whether an entry has the fields of the block's front.</summary>
    public static bool HasSameFields<TFields>(StreamBlock* block, in TFields fields)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var count = fields.Count;
        if (count != block->FieldCount)
        {
            return false;
        }

        var next = Fields(block);
        for (var i = 0; i < count; i++)
        {
            var name = fields.NameAt(i);
            var length = PackedForm.LengthAt(next, out var prefix);
            if (length != name.Length || !name.SequenceEqual(new ReadOnlySpan<byte>(next + prefix, length)))
            {
                return false;
            }

            next += prefix + length;
        }

        return true;
    }

    /// <summary>Begins a block that has no entries yet.</summary>
    /// <param name="block">Where it lies; its capacity stays.</param>
    /// <param name="firstId">By which it is to be found.</param>
    /// <param name="fields">The fields of its front.</param>
    /// <param name="fieldBytes">Bytes of their names, packed.</param>
    public static void Begin<TFields>(StreamBlock* block, StreamId firstId, in TFields fields, int fieldBytes)
        where TFields : struct, IStreamFields, allows ref struct
    {
        block->FirstId = firstId;
        block->LastId = firstId;
        block->Count = 0;
        block->Deleted = 0;
        block->FieldCount = fields.Count;
        block->FieldBytes = fieldBytes;
        block->Bytes = sizeof(StreamBlock) + fieldBytes;
        var listpack = ListpackSize.FrameBytes + ListpackSize.Of(fields.Count) + ListpackSize.Of(0);
        var next = Fields(block);
        for (var i = 0; i < fields.Count; i++)
        {
            var name = fields.NameAt(i);
            next += PackedForm.Write(new Span<byte>(next, PackedForm.SizeOf(name.Length)), name);
            listpack += ListpackSize.Of(name);
        }

        block->ListpackBytes = (int)listpack;
    }

    /// <summary>Adds an entry behind all others, for which there is room.</summary>
    /// <param name="block">The block.</param>
    /// <param name="id">The entry's id, above those of all others.</param>
    /// <param name="fields">The entry.</param>
    /// <param name="size">What it takes, as <see cref="StreamEntry.SizeOf"/> says.</param>
    public static void Append<TFields>(StreamBlock* block, StreamId id, in TFields fields, in EntrySize size)
        where TFields : struct, IStreamFields, allows ref struct
    {
        StreamEntry.Write(End(block), block->FirstId, id, fields, size);
        block->LastId = id;
        block->Bytes += size.Bytes;
        block->ListpackBytes += size.Listpack;
        block->Count++;
    }

    /// <summary>The entry of an id, or null.</summary>
    public static byte* Find(StreamBlock* block, StreamId id)
    {
        var end = End(block);
        for (var entry = Start(block); entry != end; entry += StreamEntry.SizeAt(block, entry))
        {
            var found = IdAt(block, entry);
            if (found >= id)
            {
                return found == id ? entry : null;
            }
        }

        return null;
    }

    /// <summary>The id of the entry at a place.</summary>
    public static StreamId IdAt(StreamBlock* block, byte* entry)
    {
        _ = StreamEntry.ReadHead(entry, block->FirstId, out var id, out _);
        return id;
    }

    /// <summary>The id of the last entry that is there.</summary>
    public static StreamId LastPresentId(StreamBlock* block) => IdAt(block, StreamEntry.Before(End(block)));

    /// <summary>Takes entries out of the counts, as deleted; their bytes are the caller's to remove.</summary>
    public static void CountOut(StreamBlock* block, int entries, int bytes)
    {
        block->Count -= entries;
        block->Deleted += entries;
        block->Bytes -= bytes;
    }

    /// <summary>Takes entries out.</summary>
    public static void Remove(StreamBlock* block, byte* first, int entries, int bytes)
    {
        var behind = End(block) - first - bytes;
        Buffer.MemoryCopy(first + bytes, first, behind, behind);
        CountOut(block, entries, bytes);
    }
}
