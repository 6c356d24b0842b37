using Strata.Storage.Collections.Hashes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Collections;

/// <summary>
/// A shard's collections: edits packed ones in their records, keeps the memory of large ones, turns one form into the
/// other, and frees what is given up a few elements at a time, so that no collection is too large to be deleted without
/// a pause. Belongs to the shard: used under its lease.
/// </summary>
public sealed unsafe class ShardCollections : IDisposable
{
    // A packed value that grows is given this part of itself as room.
    private const int GrowthShare = 4;

    // A value shorter than this part of its record is written anew.
    private const int LeastFill = 4;
    private const int LeastWasteBytes = 64;

    private readonly RecordStore _store;
    private readonly MemoryBudget _budget;
    private readonly Queue<DoomedCollection> _doomed = new();

    // Of the first of them, the bytes that are not freed yet.
    private long _firstBytes;

    // What the heap held when something was freed last.
    private long _settledBytes;

    internal ShardCollections(RecordStore store, MemoryBudget budget, Stripes stripes)
    {
        _store = store;
        _budget = budget;
        Heap = new SlabHeap(budget, stripes);
        Fields = new FieldExpiry(store, Heap);
        Results = new ResultRoom(Heap, budget);
    }

    /// <summary>Where the large collections lie.</summary>
    public SlabHeap Heap { get; }

    /// <summary>The hashes with fields that expire.</summary>
    public FieldExpiry Fields { get; }

    /// <summary>Room for what commands make of collections.</summary>
    internal ResultRoom Results { get; }

    /// <summary>The collections that are so large that all shards make room for them.</summary>
    internal HugeCollections Huge { get; } = new();

    /// <summary>Whether something given up is not freed yet.</summary>
    public bool HasDoomed => _doomed.Count > 0 || Heap.RetiredBytes > 0;

    /// <summary>Bytes of the heap that are not given up.</summary>
    public long HeldBytes => Heap.SizeBytes - Heap.RetiredBytes - DoomedBytes;

    /// <summary>Those of <see cref="HeldBytes"/> that count against the shard's share of memory.</summary>
    internal long OrdinaryBytes => HeldBytes - Huge.Bytes;

    /// <summary>Bytes of large collections that are given up and wait to be freed element by element.</summary>
    public long DoomedBytes { get; private set; }

    /// <summary>Large collections that are given up and wait to be freed; any thread may read it.</summary>
    public int Doomed => _doomed.Count;

    /// <summary>Those that were freed since the start; any thread may read it.</summary>
    public long Freed { get; private set; }

    /// <summary>How often a collection was frozen or made large again, of which the seam of change does not tell: who
    /// goes through one in steps begins anew.</summary>
    public long Exchanges => Frozen + Thawed;

    /// <summary>How often all were given up at once.</summary>
    internal long Clears { get; private set; }

    /// <summary>Whether some were frozen before the start.</summary>
    internal bool MayBeFrozen { get; set; }

    /// <summary>Large collections that were frozen since the start.</summary>
    internal long Frozen { get; private set; }

    /// <summary>Frozen ones that were made large again.</summary>
    internal long Thawed { get; private set; }

    /// <summary>The root of a large collection.</summary>
    public static byte* RootOf(in Record record)
    {
        Invariant.Check(record.IsLarge, "only a large collection has a root");
        return *(byte**)(record.KeyPointer + record.KeyLength);
    }

    /// <summary>Elements of a collection in any form.</summary>
    public static long CountOf(in Record record)
        => record.IsLarge ? TypeInfo.Of(record.Type).Large.CountOf(RootOf(record)) : PackedForm.CountOf(record.Value);

    /// <summary>Bytes a record takes with all that hangs on it.</summary>
    public static long WeightOf(in Record record)
        => record.LiveBytes + (record.IsLarge ? TypeInfo.Of(record.Type).Large.WeightOf(RootOf(record)) : 0);

    /// <summary>Bytes of memory that a key takes: of its record, slack included, of all that hangs on it, and of its
    /// place in the index.</summary>
    public static long UsageOf(in Record record)
        => WeightOf(record) + (record.SizeBytes - record.LiveBytes) + HashIndex.BytesPerKey;

    /// <summary>Bytes of a large collection as a packed value.</summary>
    internal static long PackedBytesOf(in Record large) => TypeInfo.Of(large.Type).Large.PackedBytesOf(RootOf(large));

    /// <summary>About how much work it is to pack a collection, or to make it large again, as <see cref="ILargeForm"/>
    /// counts.</summary>
    internal static long EffortFor(in Record record, long packedBytes)
        => CountOf(record) + StepEffort.Of(packedBytes);

    /// <summary>
    /// Replaces <paramref name="removed"/> bytes of a packed value by <paramref name="inserted"/> others, which the
    /// caller writes into the record that is returned. The change is the caller's to tell.
    /// </summary>
    /// <exception cref="MemoryExhaustedException">The value would be too long, or there is no room; nothing was
    /// changed.</exception>
    internal Record Splice(in Key key, in Record existing, int offset, int removed, int inserted)
    {
        var length = existing.ValueLength;
        var spliced = (long)length - removed + inserted;
        if (spliced > Limits.MaxValueBytes)
        {
            throw new MemoryExhaustedException("a collection in one record cannot be longer than 1 GB");
        }

        var isGrowing = inserted > removed;
        var tail = length - offset - removed;
        var value = existing.KeyPointer + existing.KeyLength;
        var capacity = existing.ValueCapacity;
        var isWorthKeeping = isGrowing || capacity <= Math.Max(LeastWasteBytes, spliced * LeastFill);
        if (isWorthKeeping && existing.CanHold(spliced) && _store.Log.IsMutable(existing))
        {
            Buffer.MemoryCopy(
                value + offset + removed, value + offset + inserted, capacity - offset - inserted, tail);
            return isGrowing || inserted < removed
                ? _store.Log.SetValueLength(existing, (int)spliced)
                : existing;
        }

        var spec = new RecordSpec(key, existing.Type, existing.ExpiryMs, existing.Flags);
        var room = isGrowing ? Math.Min(spliced + (spliced / GrowthShare), Limits.MaxValueBytes)
            : isWorthKeeping && !existing.CanHold(spliced) ? capacity // In a form that can tell of so much room.
            : spliced;
        var moved = _store.Replace(key, existing, spec, (int)spliced, room);
        existing.Value[..offset].CopyTo(moved.MutableValue);
        existing.Value[(offset + removed)..].CopyTo(moved.MutableValue[(offset + inserted)..]);
        return moved;
    }

    /// <summary>Makes a packed collection a large one, whose root was just made.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed; the root stays the caller's.</exception>
    internal Record MakeLarge(in Key key, in Record existing, byte* root)
    {
        _store.Changes.Unsaved?.BeforeMove(existing);
        var isFrozen = existing.IsFrozen;
        var record = WriteLarge(key, existing, existing.Type, existing.ExpiryMs, root);
        Thawed += isFrozen ? 1 : 0;
        return record;
    }

    /// <summary>Makes a large collection, whose root was just made, the key's value. The change is the caller's to
    /// tell.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed; the root stays the caller's.</exception>
    internal Record WriteLarge(in Key key, in Record existing, RecordType type, long expiryMs, byte* root)
    {
        if (type == RecordType.Hash)
        {
            Fields.Update((HashRoot*)root);
        }

        var spec = new RecordSpec(key, type, expiryMs, CollectionFlags.Large);
        var record = _store.Write(key, existing, spec, sizeof(byte*));
        if (type == RecordType.Hash)
        {
            Fields.Place((HashRoot*)root, key);
        }

        *(byte**)(record.KeyPointer + record.KeyLength) = root;
        return record;
    }

    /// <summary>Makes a packed collection, which may be a frozen one, large in one go.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public Record Thaw(in Key key, in Record packed)
    {
        if (_store.Log.HasPageOfItsOwn(packed.ValueLength))
        {
            _budget.AskForValue(packed.ValueLength, neededBytes: packed.ValueLength);
        }

        var root = TypeInfo.Of(packed.Type).Large.Unpack(Heap, packed.Value);
        try
        {
            return MakeLarge(key, packed, root);
        }
        catch (MemoryExhaustedException)
        {
            _ = Doom(packed.Type, root);
            throw;
        }
    }

    /// <summary>Makes <paramref name="key"/> a copy of <paramref name="source"/>, a record of another key, of whatever
    /// shard, whose lease is held too. The change is the caller's to tell.</summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="source">The record to copy.</param>
    /// <param name="spec">What the copy is; a record may be moved whose key is to be removed.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    internal Record WriteCopy(in Key key, in Record existing, in Record source, in RecordSpec spec)
    {
        if (!source.IsLarge)
        {
            var copy = _store.Write(key, existing, spec, source.ValueLength);
            copy.Fill(source.Value, copy.Address == existing.Address ? null : spec.MovedFrom);
            return copy;
        }

        var root = CopyRoot(source);
        try
        {
            return WriteLarge(key, existing, source.Type, spec.ExpiryMs, root);
        }
        catch (MemoryExhaustedException)
        {
            _ = Doom(source.Type, root);
            throw;
        }
    }

    /// <summary>Gives a large collection to another key of the shard. The record it had has none from then on, and is
    /// to be removed. The changes of both keys are the caller's to tell.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    internal Record HandOver(in Key key, in Record existing, in Record large)
    {
        var record = WriteLarge(key, existing, large.Type, large.ExpiryMs, RootOf(large));
        large.SetTypeAndFlags(large.Type, large.Flags & ~CollectionFlags.Large);
        return record;
    }

    /// <summary>Packs a large collection into a frozen record, for a device, and frees as much of what was given up.
    /// </summary>
    internal void Freeze(in Key key, in Record large)
    {
        var root = RootOf(large);
        var form = TypeInfo.Of(large.Type).Large;
        var spec = new RecordSpec(key, large.Type, large.ExpiryMs, CollectionFlags.Frozen);
        var frozen = _store.Replace(key, large, spec, checked((int)form.PackedBytesOf(root)), capacity: 0);
        form.Pack(root, frozen.MutableValue);
        _store.Changes.Census?.Note(key, frozen, isNew: false);
        var elements = form.CountOf(root);
        _ = DoomFrozen(large.Type, root);
        _ = FreeSome((int)elements + 1); // With the root.
    }

    /// <summary>A collection was frozen: what it was is given up.</summary>
    /// <returns>Bytes to be freed.</returns>
    internal long DoomFrozen(RecordType type, byte* root)
    {
        Frozen++;
        return Doom(type, root);
    }

    /// <summary>A large collection is no longer pointed to: its memory is free from here on as far as the budget goes,
    /// and is given back by and by.</summary>
    /// <returns>Bytes to be freed.</returns>
    internal long Doom(RecordType type, byte* root)
    {
        _store.Changes.Unsaved?.BeforeDoom(root);
        Huge.Forget((nint)root);
        if (type == RecordType.Hash)
        {
            Fields.Remove((HashRoot*)root);
        }

        var bytes = TypeInfo.Of(type).Large.WeightOf(root);
        if (_doomed.Count == 0)
        {
            _firstBytes = bytes;
            _settledBytes = Heap.UsedBytes;
        }

        _doomed.Enqueue(new DoomedCollection(type, (nint)root, bytes));
        DoomedBytes += bytes;
        _budget.Retire(bytes);
        return bytes;
    }

    /// <summary>Frees some of what was given up: a little, and where much is left to be freed, as much as was allocated
    /// since the last call.</summary>
    internal void Settle()
    {
        _ = FreeSome(Limits.ElementsFreedPerCommand);
        while (Heap.UsedBytes > _settledBytes
            && DoomedBytes > Math.Max(Limits.LeastFreeingDebtBytes, HeldBytes / Limits.FreeingDebtShare))
        {
            _ = FreeSome(Limits.ElementsFreedPerCommand);
        }

        _settledBytes = Heap.UsedBytes;
    }

    /// <summary>Frees about <paramref name="elements"/> elements of what was given up.</summary>
    /// <returns>Bytes freed.</returns>
    internal long FreeSome(int elements)
    {
        if (!_doomed.TryPeek(out var next))
        {
            _ = Heap.TryRelease();
            return 0;
        }

        var used = Heap.UsedBytes;
        var isGone = TypeInfo.Of(next.Type).Large.FreeSome(Heap, (byte*)next.Root, elements);
        var freed = isGone ? _firstBytes : Math.Min(used - Heap.UsedBytes, _firstBytes);
        _firstBytes -= freed;
        DoomedBytes -= freed;
        _budget.Retire(-freed);
        if (isGone)
        {
            _ = _doomed.Dequeue();
            Freed++;
            _firstBytes = _doomed.TryPeek(out next) ? next.Bytes : 0;
        }

        return freed;
    }

    /// <summary>Gives up everything: the shard is being emptied.</summary>
    internal void Clear()
    {
        Clears++;
        Huge.Clear();
        _doomed.Clear();
        _budget.Retire(-DoomedBytes);
        DoomedBytes = 0;
        Fields.Clear();
        Heap.Clear();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Clear();
        Heap.Dispose();
    }

    /// <summary>The packed form serves as the way between two heaps.</summary>
    private byte* CopyRoot(in Record source)
    {
        var form = TypeInfo.Of(source.Type).Large;
        var bytes = form.PackedBytesOf(RootOf(source));
        if (bytes > Array.MaxLength)
        {
            throw new MemoryExhaustedException("a collection of 2 GB or more cannot be copied");
        }

        using var packed = new NativeSpan((int)bytes);
        form.Pack(RootOf(source), packed.Span);
        return form.Unpack(Heap, packed.Span);
    }

    private readonly record struct DoomedCollection(RecordType Type, nint Root, long Bytes);
}
