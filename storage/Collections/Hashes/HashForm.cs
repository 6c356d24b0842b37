using System.Runtime.InteropServices;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>Large hashes, as a shard's housekeeping sees them. Where fields expire, the packed form has more behind the
/// last entry: the number of each such field (4 bytes) and its time (8 bytes), in the order of the fields, then how
/// many these are (4 bytes, the highest bit for a hash that Redis would have packed all the same).</summary>
internal sealed unsafe class HashForm : ILargeForm
{
    private const int FitsPackedBit = int.MinValue;

    /// <summary>The only one: it has no state.</summary>
    public static HashForm Instance { get; } = new();

    /// <summary>What OBJECT ENCODING answers.</summary>
    public static ReadOnlySpan<byte> EncodingOf(in Record record)
    {
        var (isLarge, fitsPacked) = record.IsLarge
            ? (true, ((HashRoot*)ShardCollections.RootOf(record))->FitsPacked)
            : (record.IsFrozen, FitsPacked(record.Value));
        return !isLarge ? "listpack"u8 : fitsPacked ? "listpackex"u8 : "hashtable"u8;
    }

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((HashRoot*)root)->Table.Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((HashRoot*)root)->WeightBytes;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => PackedForm.HeaderBytes + ((HashRoot*)root)->PackedBytes;

    /// <inheritdoc/>
    public void PackSome(byte* root, Span<byte> packed, ref PackingCursor cursor, int effort)
    {
        var hash = (HashRoot*)root;
        var count = checked((int)hash->Table.Count);
        var times = packed[(PackedForm.HeaderBytes + (int)hash->EntryBytes)..];
        if (cursor.Offset == 0)
        {
            PackedForm.SetCount(packed, count);
            if (hash->Expiries.Count > 0)
            {
                PackedForm.SetTrailer(packed);
                var fitsBit = hash->FitsPacked ? FitsPackedBit : 0;
                MemoryMarshal.Write(packed[^sizeof(int)..], (int)hash->Expiries.Count | fitsBit);
            }

            cursor.Offset = PackedForm.HeaderBytes;
            cursor.Walk = ElementTable.Walk(&hash->Table);
        }

        while (effort > 0 && cursor.Walk.TryNext(out var block))
        {
            var entries = HashField.EntriesSpan(block);
            entries.CopyTo(packed[cursor.Offset..]);
            cursor.Offset += entries.Length;
            if (HashField.Expires(block))
            {
                var time = times[(cursor.Times++ * HashRoot.PackedExpiryBytes)..];
                MemoryMarshal.Write(time, cursor.Elements);
                MemoryMarshal.Write(time[sizeof(int)..], HashField.ExpiryMsOf(block));
            }

            cursor.Elements++;
            effort -= StepEffort.Of(entries.Length);
        }

        cursor.IsAtEnd = cursor.Elements == count;
    }

    /// <inheritdoc/>
    public byte* Create(SlabHeap heap, int expected) => (byte*)HashRoot.Create(heap, expected);

    /// <inheritdoc/>
    public void UnpackSome(
        SlabHeap heap, byte* root, ReadOnlySpan<byte> packed, ref PackingCursor cursor, int effort)
    {
        var count = PackedForm.CountOf(packed);
        var times = TimesOf(packed);
        var timeCount = times.Length / HashRoot.PackedExpiryBytes;
        cursor.Offset = Math.Max(cursor.Offset, PackedForm.HeaderBytes);
        for (; effort > 0 && cursor.Elements < count; cursor.Elements++)
        {
            var start = cursor.Offset;
            var field = PackedForm.Read(packed, ref cursor.Offset);
            var value = PackedForm.Read(packed, ref cursor.Offset);
            var expiryMs = -1L;
            if (cursor.Times < timeCount)
            {
                var time = times[(cursor.Times * HashRoot.PackedExpiryBytes)..];
                if (MemoryMarshal.Read<int>(time) == cursor.Elements)
                {
                    expiryMs = MemoryMarshal.Read<long>(time[sizeof(int)..]);
                    cursor.Times++;
                }
            }

            ((HashRoot*)root)->Add(heap, KeyHash.Compute(field), field, value, expiryMs);
            effort -= StepEffort.Of(cursor.Offset - start);
        }

        ((HashRoot*)root)->FitsPacked = FitsPacked(packed);
        cursor.IsAtEnd = cursor.Elements == count;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements)
    {
        var isEmpty = ((HashRoot*)root)->FreeSome(heap, elements);
        if (isEmpty)
        {
            heap.Free(root, sizeof(HashRoot));
        }

        return isEmpty;
    }

    /// <summary>When the first field of a hash in any form expires, milliseconds since 1970; <see
    /// cref="long.MaxValue"/> for never.</summary>
    public static long FirstExpiryMsOf(in Record record)
    {
        if (record.IsLarge)
        {
            return ((HashRoot*)ShardCollections.RootOf(record))->Expiries.FirstMs;
        }

        var first = long.MaxValue;
        for (var times = TimesOf(record.Value); !times.IsEmpty; times = times[HashRoot.PackedExpiryBytes..])
        {
            first = Math.Min(first, MemoryMarshal.Read<long>(times[sizeof(int)..]));
        }

        return first;
    }

    /// <summary>The numbers and times of the fields of a packed hash that expire.</summary>
    internal static ReadOnlySpan<byte> TimesOf(ReadOnlySpan<byte> packed)
    {
        var count = LastWordOf(packed) & ~FitsPackedBit;
        return count == 0 ? [] : packed[^(int)HashRoot.PackedExpiryBytesFor(count)..^sizeof(int)];
    }

    private static bool FitsPacked(ReadOnlySpan<byte> packed) => (LastWordOf(packed) & FitsPackedBit) != 0;

    /// <summary>What is behind the times, if there are any.</summary>
    private static int LastWordOf(ReadOnlySpan<byte> packed)
        => PackedForm.HasTrailer(packed) ? MemoryMarshal.Read<int>(packed[^sizeof(int)..]) : 0;
}
