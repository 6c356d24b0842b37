using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>The root block of a large hash: a table of <see cref="HashField"/> blocks, and those that expire in the
/// order of their times.</summary>
internal unsafe struct HashRoot : ITimedItem
{
    /// <summary>Packed, a field that expires is named by its number among all, followed by its time.</summary>
    public const int PackedExpiryBytes = sizeof(int) + sizeof(long);

    /// <summary>The fields.</summary>
    public ElementTable Table;

    /// <summary>The fields that expire.</summary>
    public TimeHeap<HashField> Expiries;

    /// <summary>The hash of the key whose value this is.</summary>
    public ulong KeyHash;

    /// <summary>The physical number of the key's database.</summary>
    public byte Database;

    /// <summary>Whether it is large only because fields of it expire: Redis would have it packed.</summary>
    public bool FitsPacked;

    /// <summary>The time by which the shard has the hash in its list of those with fields that expire; <see
    /// cref="long.MaxValue"/> where it is not there.</summary>
    public long ListedMs;

    private uint _position;
    private long _blockBytes;

    /// <summary>Bytes of all fields and values, packed.</summary>
    public long EntryBytes { get; private set; }

    /// <summary>Bytes of the whole hash, packed, without its header.</summary>
    public readonly long PackedBytes => EntryBytes + PackedExpiryBytesFor(Expiries.Count);

    /// <summary>Bytes of all blocks, this one included.</summary>
    public readonly long WeightBytes
        => SlabHeap.SizeOf(sizeof(HashRoot)) + Table.SizeBytes + Expiries.SizeBytes + _blockBytes;

    /// <summary>Bytes of the times of some fields, packed, with their number.</summary>
    public static long PackedExpiryBytesFor(long fields)
        => fields == 0 ? 0 : (fields * PackedExpiryBytes) + sizeof(int);

    /// <inheritdoc/>
    public static long TimeOf(byte* block) => ((HashRoot*)block)->ListedMs;

    /// <inheritdoc/>
    public static uint PositionOf(byte* block) => ((HashRoot*)block)->_position;

    /// <inheritdoc/>
    public static void SetPosition(byte* block, uint position) => ((HashRoot*)block)->_position = position;

    /// <summary>Makes an empty large hash with room for some fields.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static HashRoot* Create(SlabHeap heap, long expected)
    {
        var root = (HashRoot*)heap.Allocate(sizeof(HashRoot));
        *root = default;
        root->ListedMs = long.MaxValue;
        try
        {
            ElementTable.Initialize(&root->Table, heap, expected);
        }
        catch (MemoryExhaustedException)
        {
            heap.Free((byte*)root, sizeof(HashRoot));
            throw;
        }

        return root;
    }

    /// <summary>The block of a field, or null.</summary>
    public readonly byte* Find(ReadOnlySpan<byte> field)
        => Table.Find<HashField>(Index.KeyHash.Compute(field), field);

    /// <summary>Gives a field a value.</summary>
    /// <param name="heap">The heap.</param>
    /// <param name="field">The field.</param>
    /// <param name="value">Its value.</param>
    /// <param name="keepsExpiry">Whether a field that expires goes on to.</param>
    /// <param name="nowMs">Milliseconds since 1970: a field that expired before is as good as not there.</param>
    /// <returns>Whether the field is new.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Set(SlabHeap heap, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, bool keepsExpiry, long nowMs)
    {
        var hash = Index.KeyHash.Compute(field);
        var existing = Table.Find<HashField>(hash, field);
        if (existing == null)
        {
            Add(heap, hash, field, value, expiryMs: -1);
            return true;
        }

        var isNew = HashField.IsExpired(existing, nowMs);
        Change(heap, hash, existing, field, value, keepsExpiry && !isNew ? HashField.ExpiryMsOf(existing) : -1);
        return isNew;
    }

    /// <summary>Lets a field expire at another time; -1 for never.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void SetExpiry(SlabHeap heap, byte* block, long expiryMs)
    {
        var field = HashField.KeyOf(block);
        Change(heap, Index.KeyHash.Compute(field), block, field, HashField.ValueOf(block), expiryMs);
    }

    /// <summary>Adds a field that is not there.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Add(SlabHeap heap, ulong hash, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiryMs)
    {
        var block = MakeBlock(heap, field, value, expiryMs);
        try
        {
            Table.Insert<HashField>(heap, hash, block);
        }
        catch (MemoryExhaustedException)
        {
            FreeBlock(heap, block);
            throw;
        }
    }

    /// <summary>Takes a field out, unless it expired before <paramref name="nowMs"/>: it is for others then.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(SlabHeap heap, ReadOnlySpan<byte> field, long nowMs)
    {
        var hash = Index.KeyHash.Compute(field);
        var block = Table.Find<HashField>(hash, field);
        if (block == null || HashField.IsExpired(block, nowMs))
        {
            return false;
        }

        Table.Remove(heap, hash, block);
        FreeBlock(heap, block);
        return true;
    }

    /// <summary>Takes out fields whose time had come before <paramref name="nowMs"/>.</summary>
    /// <returns>How many.</returns>
    public int Expire(SlabHeap heap, long nowMs, int most, in Key key, ShardChanges changes)
    {
        var expired = 0;
        for (; expired < most && Expiries.FirstMs < nowMs; expired++)
        {
            var block = Expiries.First;
            changes.TellFieldExpired(key, HashField.KeyOf(block));
            Table.Remove(heap, Index.KeyHash.Compute(HashField.KeyOf(block)), block);
            FreeBlock(heap, block);
        }

        return expired;
    }

    /// <summary>Frees about <paramref name="elements"/> fields of a hash that is given up.</summary>
    /// <returns>Whether nothing is left but this block.</returns>
    public bool FreeSome(SlabHeap heap, int elements)
    {
        for (; elements > 0; elements--)
        {
            if (!Table.TryTake(heap, out var block))
            {
                return true;
            }

            FreeBlock(heap, block);
        }

        return false;
    }

    private void Change(
        SlabHeap heap, ulong hash, byte* existing, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiryMs)
    {
        var oldSize = HashField.SizeOf(existing);
        var oldEntryBytes = HashField.EntriesSpan(existing).Length;
        var expires = expiryMs >= 0;
        var size = HashField.SizeFor(field.Length, value.Length, expires);
        if (expires == HashField.Expires(existing) && SlabHeap.SizeOf(oldSize) == SlabHeap.SizeOf(size))
        {
            HashField.Write(existing, size, field, value, expiryMs);
            if (expires)
            {
                Expiries.Move(existing);
            }

            EntryBytes += HashField.EntriesSpan(existing).Length - oldEntryBytes;
            return;
        }

        var block = MakeBlock(heap, field, value, expiryMs);
        Table.Replace(hash, existing, block);
        FreeBlock(heap, existing);
    }

    private byte* MakeBlock(SlabHeap heap, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiryMs)
    {
        var size = HashField.SizeFor(field.Length, value.Length, expiryMs >= 0);
        var block = heap.Allocate(size);
        HashField.Write(block, size, field, value, expiryMs);
        if (expiryMs >= 0)
        {
            try
            {
                Expiries.Add(heap, block);
            }
            catch (MemoryExhaustedException)
            {
                heap.Free(block, size);
                throw;
            }
        }

        EntryBytes += HashField.EntriesSpan(block).Length;
        _blockBytes += SlabHeap.SizeOf(size);
        return block;
    }

    private void FreeBlock(SlabHeap heap, byte* block)
    {
        if (HashField.Expires(block))
        {
            Expiries.Remove(heap, block);
        }

        var size = HashField.SizeOf(block);
        EntryBytes -= HashField.EntriesSpan(block).Length;
        _blockBytes -= SlabHeap.SizeOf(size);
        heap.Free(block, size);
    }
}
