using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Sets;

/// <summary>Large sets as the shard sees them.</summary>
internal sealed unsafe class SetForm : ILargeForm
{
    /// <summary>The only one: it has no state.</summary>
    public static SetForm Instance { get; } = new();

    /// <summary>What OBJECT ENCODING answers.</summary>
    public static ReadOnlySpan<byte> EncodingOf(in Record record)
        => record.IsLarge || record.IsFrozen ? "hashtable"u8
            : new SetReader(record).IsIntegers ? "intset"u8
            : "listpack"u8;

    /// <inheritdoc/>
    public long CountOf(byte* root) => new LargeSet(root).Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => new LargeSet(root).WeightBytes;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => PackedSet.HeaderBytes + new LargeSet(root).EntryBytes;

    /// <inheritdoc/>
    public void PackSome(byte* root, Span<byte> packed, ref PackingCursor cursor, int effort)
    {
        var set = new LargeSet(root);
        if (cursor.Offset == 0)
        {
            PackedSet.WriteHeader(packed, checked((int)set.Count), PackedSet.Entries);
            cursor.Offset = PackedSet.HeaderBytes;
            cursor.Walk = set.Walk();
        }

        while (effort > 0 && cursor.Walk.TryNext(out var block))
        {
            var bytes = PackedForm.Write(packed[cursor.Offset..], SetMember.KeyOf(block));
            cursor.Offset += bytes;
            cursor.Elements++;
            effort -= StepEffort.Of(bytes);
        }

        cursor.IsAtEnd = cursor.Elements == set.Count;
    }

    /// <inheritdoc/>
    public byte* Create(SlabHeap heap, int expected) => LargeSet.Create(heap, expected).Root;

    /// <inheritdoc/>
    public void UnpackSome(
        SlabHeap heap, byte* root, ReadOnlySpan<byte> packed, ref PackingCursor cursor, int effort)
    {
        var set = new LargeSet(root);
        var count = PackedForm.CountOf(packed);
        cursor.Offset = Math.Max(cursor.Offset, PackedSet.HeaderBytes);
        for (; effort > 0 && cursor.Elements < count; cursor.Elements++)
        {
            var member = PackedForm.Read(packed, ref cursor.Offset);
            _ = set.Add(heap, member);
            effort -= StepEffort.Of(member.Length);
        }

        cursor.IsAtEnd = cursor.Elements == count;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements) => new LargeSet(root).FreeSome(heap, elements);
}
