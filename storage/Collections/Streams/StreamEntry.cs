using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// An entry as it lies in a <see cref="StreamBlock"/>: what its id has more than the block's first one, then the number
/// of its fields and names and values in turn, or only values, where it has the block's fields; and its length, by
/// which it is found from behind.
/// <code>
/// byte    bit 0: it has fields of its own; bit 1: the lower half of the id differs, too; bits 2 to 6: the lowest bits
///         of the upper halves' difference; bit 7: more of that follows
/// varint  the rest of the upper halves' difference
/// varint  the lower halves' difference, with the sign in the lowest bit
/// varint  the number of fields
/// then    names, each as an entry of PackedForm, and values, each as StreamValue has it
/// byte    the length of all this; or four bytes with that, and 254
/// </code>
/// A varint has seven bits a byte, the lowest first, and the top bit where more follow.
/// </summary>
internal static unsafe class StreamEntry
{
    private const int OwnFields = 1;
    private const int OtherSequence = 2;
    private const int More = 0x80;
    private const int FlagBits = 2;
    private const int HeadBits = 5;

    // What Redis's listpack has as flags of an entry: that it has the node's fields.
    private const int SameFields = 2;

    /// <summary>What an entry would take.</summary>
    /// <param name="firstId">The block's first id.</param>
    /// <param name="id">The entry's id.</param>
    /// <param name="fields">The entry.</param>
    /// <param name="isSame">Whether the names are left out.</param>
    public static EntrySize SizeOf<TFields>(StreamId firstId, StreamId id, in TFields fields, bool isSame)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var count = fields.Count;
        var body = (long)HeadBytes(firstId, id);
        var listpack = ListpackSize.Of(isSame ? SameFields : 0)
            + ListpackSize.Of((long)(id.Ms - firstId.Ms)) + ListpackSize.Of((long)(id.Seq - firstId.Seq))
            + ListpackSize.Of(isSame ? count + 3 : (2L * count) + 4);
        if (!isSame)
        {
            body += VarintBytes((ulong)count);
            listpack += ListpackSize.Of(count);
        }

        for (var i = 0; i < count; i++)
        {
            var value = fields.ValueAt(i);
            body += StreamValue.SizeOf(value, out var bytesOfRedis);
            listpack += bytesOfRedis;
            if (!isSame)
            {
                var name = fields.NameAt(i);
                body += PackedForm.SizeOf(name.Length);
                listpack += ListpackSize.Of(name);
            }
        }

        return new EntrySize(isSame, checked((int)(body + BackBytes(body))), checked((int)listpack));
    }

    /// <summary>Writes an entry of the size that was told.</summary>
    public static void Write<TFields>(
        byte* target, StreamId firstId, StreamId id, in TFields fields, in EntrySize size)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var count = fields.Count;
        var next = WriteHead(target, firstId, id, size.IsSame);
        if (!size.IsSame)
        {
            next = WriteVarint(next, (ulong)count);
        }

        for (var i = 0; i < count; i++)
        {
            if (!size.IsSame)
            {
                next = WriteText(next, fields.NameAt(i));
            }

            next = StreamValue.Write(next, fields.ValueAt(i));
        }

        var body = (int)(next - target);
        if (body < PackedForm.LongLength)
        {
            *next = (byte)body;
        }
        else
        {
            Unsafe.WriteUnaligned(next, body);
            next[sizeof(int)] = PackedForm.LongLength;
        }
    }

    /// <summary>Bytes of the entry at a place.</summary>
    public static int SizeAt(StreamBlock* block, byte* entry)
    {
        var next = ReadHead(entry, block->FirstId, out _, out var hasOwnFields);
        var left = block->FieldCount;
        if (hasOwnFields)
        {
            next = ReadVarint(next, out var count);
            for (left = (int)count; left > 0; left--)
            {
                next += PackedForm.LengthAt(next, out var prefix) + prefix;
                next = StreamValue.Skip(next);
            }
        }

        for (; left > 0; left--)
        {
            next = StreamValue.Skip(next);
        }

        var body = (int)(next - entry);
        return body + BackBytes(body);
    }

    /// <summary>Where the entry begins that ends at a place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* Before(byte* end)
    {
        int body = end[-1];
        return body < PackedForm.LongLength
            ? end - 1 - body
            : end - 1 - sizeof(int) - Unsafe.ReadUnaligned<int>(end - 1 - sizeof(int));
    }

    /// <summary>Reads an entry's beginning.</summary>
    /// <param name="entry">Where it begins.</param>
    /// <param name="firstId">The block's first id.</param>
    /// <param name="id">Its id.</param>
    /// <param name="hasOwnFields">Whether the number of its fields follows, and their names.</param>
    /// <returns>What follows.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* ReadHead(byte* entry, StreamId firstId, out StreamId id, out bool hasOwnFields)
    {
        var next = entry;
        int head = *next++;
        hasOwnFields = (head & OwnFields) != 0;
        var ms = (ulong)((head & ~More) >> FlagBits);
        if ((head & More) != 0)
        {
            next = ReadVarint(next, out var rest);
            ms |= rest << HeadBits;
        }

        var sequence = firstId.Seq;
        if ((head & OtherSequence) != 0)
        {
            next = ReadVarint(next, out var difference);
            sequence += (difference >> 1) ^ (0 - (difference & 1));
        }

        id = new StreamId(firstId.Ms + ms, sequence);
        return next;
    }

    /// <summary>Reads a number.</summary>
    /// <returns>What follows.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* ReadVarint(byte* source, out ulong value)
    {
        value = *source++;
        if (value < More)
        {
            return source;
        }

        value &= More - 1;
        for (var shift = 7; ; shift += 7)
        {
            ulong part = *source++;
            value |= (part & (More - 1)) << shift;
            if (part < More)
            {
                return source;
            }
        }
    }

    private static int BackBytes(long body) => body < PackedForm.LongLength ? 1 : 1 + sizeof(int);

    private static ulong SequenceCode(StreamId firstId, StreamId id)
    {
        var difference = (long)(id.Seq - firstId.Seq);
        return (ulong)((difference << 1) ^ (difference >> 63));
    }

    private static int HeadBytes(StreamId firstId, StreamId id)
    {
        var rest = (id.Ms - firstId.Ms) >> HeadBits;
        return 1 + (rest == 0 ? 0 : VarintBytes(rest))
            + (id.Seq == firstId.Seq ? 0 : VarintBytes(SequenceCode(firstId, id)));
    }

    private static byte* WriteHead(byte* target, StreamId firstId, StreamId id, bool isSame)
    {
        var ms = id.Ms - firstId.Ms;
        var rest = ms >> HeadBits;
        *target++ = (byte)((isSame ? 0 : OwnFields) | (id.Seq == firstId.Seq ? 0 : OtherSequence)
            | ((int)(ms & ((1 << HeadBits) - 1)) << FlagBits) | (rest == 0 ? 0 : More));
        if (rest != 0)
        {
            target = WriteVarint(target, rest);
        }

        return id.Seq == firstId.Seq ? target : WriteVarint(target, SequenceCode(firstId, id));
    }

    private static int VarintBytes(ulong value)
    {
        var bytes = 1;
        for (; value >= More; value >>= 7)
        {
            bytes++;
        }

        return bytes;
    }

    private static byte* WriteVarint(byte* target, ulong value)
    {
        for (; value >= More; value >>= 7)
        {
            *target++ = (byte)(value | More);
        }

        *target++ = (byte)value;
        return target;
    }

    private static byte* WriteText(byte* target, ReadOnlySpan<byte> text)
        => target + PackedForm.Write(new Span<byte>(target, PackedForm.SizeOf(text.Length)), text);
}
