using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>
/// Packs a large collection into a frozen record, for the device, step by step, and then frees it likewise. The record
/// is written beside the collection, which stays the key's value to the end; whatever changes the collection, or reads
/// it again, puts an end to it before. A shard has one, used for one collection after the other.
/// </summary>
internal sealed unsafe class CollectionFreeze : ShardTask, IChangeListener
{
    private readonly Tier _tier;
    private RecordType _type;
    private byte* _root;
    private ulong _hash;
    private ulong _address;
    private long _generation;
    private int _frequency;
    private Record _frozen;
    private PackingCursor _cursor;
    private long _bytesToFree;

    public CollectionFreeze(TieredStore store, Tier tier)
        : base(store)
    {
        _tier = tier;
    }

    /// <summary>Whether a collection is being packed, or freed after that.</summary>
    public bool IsUnderWay { get; private set; }

    /// <summary>Begins with a collection.</summary>
    /// <param name="worker">The worker that makes the steps; on its thread.</param>
    /// <param name="scanned">The collection's record.</param>
    /// <param name="large">The same.</param>
    /// <param name="packedBytes">Bytes of the packed value, for which the record must get a page of its own.</param>
    /// <exception cref="Memory.MemoryExhaustedException">Nothing was changed.</exception>
    public void Begin(TierWorker worker, in ScannedRecord scanned, in Record large, int packedBytes)
    {
        Invariant.Check(!IsUnderWay, "one collection after the other");
        var key = large.KeyWith(scanned.Hash);
        var spec = new RecordSpec(key, large.Type, large.ExpiryMs, CollectionFlags.Frozen);
        _frozen = Store.Log.Append(Store.Log.KindOf(large.Address), spec, packedBytes, capacity: 0);
        _type = large.Type;
        _root = ShardCollections.RootOf(large);
        _hash = scanned.Hash;
        _address = large.Address;
        _generation = Store.Tier!.GenerationOf(_address);
        _frequency = scanned.Frequency;
        _cursor = default;
        IsUnderWay = true;
        Store.Changes.Add(this);
        _tier.OnFreezeStarted(packedBytes);
        worker.Add(this);
    }

    /// <summary>A key is going to be changed. A collection that is changed is in use: were it not taken for read, too,
    /// the next attempt would follow at once.</summary>
    public void BeforeChange(in Key key, in Record record)
    {
        if (record.IsNull || !record.IsLarge || ShardCollections.RootOf(record) != _root)
        {
            return;
        }

        var slot = Store.FindSlot(_hash, _address);
        if (slot != null && IndexEntry.Frequency(*slot) == 0)
        {
            Volatile.Write(ref *slot, IndexEntry.WithFrequency(*slot, 1));
        }

        GiveUp();
    }

    /// <inheritdoc/>
    public void Changed(in Key key, in Record record, in Change change)
    {
        // What was changed is not being frozen any more.
    }

    /// <inheritdoc/>
    public void BeforeClear(int database) => GiveUp();

    /// <inheritdoc/>
    public void Cleared(int database, IChangeAuthor? author)
    {
    }

    /// <inheritdoc/>
    public void BeforeExchange(byte first, byte second)
    {
        // Records and collections stay where they are.
    }

    /// <inheritdoc/>
    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
    }

    /// <summary>Compaction has moved a collection's record.</summary>
    public void OnMoved(byte* root, ulong address)
    {
        if (root == _root)
        {
            _address = address;
            _generation = Store.Tier!.GenerationOf(address);
        }
    }

    /// <summary>The shard's log and heap are being emptied.</summary>
    public void Reset()
    {
        StopPacking();
        _bytesToFree = 0;
    }

    /// <inheritdoc/>
    public override bool Step()
    {
        if (_root != null)
        {
            Pack();
        }
        else if (_bytesToFree > 0)
        {
            Free();
        }

        IsUnderWay = _root != null || _bytesToFree > 0;
        if (!IsUnderWay)
        {
            _tier.OnFreezeEnded(_frozen.ValueLength);
            Store.Tier!.OnFreezeEnded();
        }

        return IsUnderWay;
    }

    /// <inheritdoc/>
    public override void OnEnded(TierWorker worker) => _tier.NotifyRoom(); // By now the next may be under way.

    private void Pack()
    {
        var slot = Store.FindSlot(_hash, _address);
        if (slot == null || Store.Tier!.GenerationOf(_address) != _generation
            || IndexEntry.Frequency(*slot) > _frequency || !Store.Log.TryOpen(_address, out var large)
            || !large.IsLarge || ShardCollections.RootOf(large) != _root)
        {
            GiveUp(); // It is read again, has another record, or is another key's by now.
            return;
        }

        TypeInfo.Of(_type).Large.PackSome(_root, _frozen.MutableValue, ref _cursor, _tier.StepEffort);
        if (_cursor.IsAtEnd)
        {
            Exchange(slot, large);
        }
    }

    /// <summary>Makes the frozen record the key's. It has the same parts as the collection's: were one of them another
    /// by now, that would be another record.</summary>
    private void Exchange(ulong* slot, in Record large)
    {
        if (large.HasExpiry)
        {
            _frozen.SetExpiry(large.ExpiryMs);
            Store.Log.NoteExpiry(_frozen, large.ExpiryMs);
        }

        _frozen.SetAccessed(large.Accessed);
        Volatile.Write(ref *slot, IndexEntry.WithAddress(*slot, _frozen.Address));
        Store.Log.Forget(large);
        var root = _root;
        StopPacking();
        _bytesToFree = Store.Collections.DoomFrozen(_type, root);
    }

    /// <summary>What is given up is freed in its turn; what came before this collection was to be freed, too.</summary>
    private void Free()
    {
        var freed = Store.Collections.FreeSome(_tier.StepEffort);
        _bytesToFree = Store.Collections.DoomedBytes == 0 ? 0 : _bytesToFree - freed;
    }

    private void StopPacking()
    {
        _root = null;
        Store.Changes.Remove(this);
    }

    private void GiveUp()
    {
        StopPacking();
        Store.Log.Forget(_frozen);
    }
}
