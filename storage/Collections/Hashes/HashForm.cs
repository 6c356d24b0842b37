using System.Runtime.InteropServices;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>Large hashes, as a shard's housekeeping sees them. Where fields expire, the packed form has more behind the
/// last entry: the number of each such field (4 bytes) and its time (8 bytes), in the order of the fields.</summary>
internal sealed unsafe class HashForm : ILargeForm
{
    private const int ExpiryBytes = sizeof(int) + sizeof(long);

    /// <summary>The only one: it has no state.</summary>
    public static HashForm Instance { get; } = new();

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((HashRoot*)root)->Table.Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((HashRoot*)root)->WeightBytes;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => PackedForm.HeaderBytes + ((HashRoot*)root)->PackedBytes;

    /// <inheritdoc/>
    public void Pack(byte* root, Span<byte> packed)
    {
        var hash = (HashRoot*)root;
        PackedForm.SetCount(packed, checked((int)hash->Table.Count));
        var rest = packed[PackedForm.HeaderBytes..];
        var expiries = rest[(int)hash->EntryBytes..];
        var number = 0;
        for (var walk = ElementTable.Walk(&hash->Table); walk.TryNext(out var block); number++)
        {
            var entries = HashField.EntriesSpan(block);
            entries.CopyTo(rest);
            rest = rest[entries.Length..];
            if (HashField.Expires(block))
            {
                MemoryMarshal.Write(expiries, number);
                MemoryMarshal.Write(expiries[sizeof(int)..], HashField.ExpiryMsOf(block));
                expiries = expiries[ExpiryBytes..];
            }
        }
    }

    /// <inheritdoc/>
    public byte* Unpack(SlabHeap heap, ReadOnlySpan<byte> packed)
    {
        var count = PackedForm.CountOf(packed);
        var root = HashRoot.Create(heap, count);
        try
        {
            var expiries = ExpiriesIn(packed);
            var offset = PackedForm.HeaderBytes;
            for (var number = 0; number < count; number++)
            {
                var field = PackedForm.Read(packed, ref offset);
                var value = PackedForm.Read(packed, ref offset);
                var expiryMs = -1L;
                if (!expiries.IsEmpty && MemoryMarshal.Read<int>(expiries) == number)
                {
                    expiryMs = MemoryMarshal.Read<long>(expiries[sizeof(int)..]);
                    expiries = expiries[ExpiryBytes..];
                }

                root->Add(heap, KeyHash.Compute(field), field, value, expiryMs);
            }
        }
        catch (MemoryExhaustedException)
        {
            _ = FreeSome(heap, (byte*)root, int.MaxValue);
            throw;
        }

        return (byte*)root;
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

    private static ReadOnlySpan<byte> ExpiriesIn(ReadOnlySpan<byte> packed)
    {
        var offset = PackedForm.HeaderBytes;
        for (var left = PackedForm.CountOf(packed); left > 0; left--)
        {
            PackedForm.Skip(packed, ref offset);
            PackedForm.Skip(packed, ref offset);
        }

        return packed[offset..];
    }
}
