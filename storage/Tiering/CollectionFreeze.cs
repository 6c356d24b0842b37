using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>
/// Packs a large collection into a frozen record on the device, step by step, and then frees it likewise. The record
/// goes to the device while it is packed, so that it takes little memory however large it is. The collection stays the
/// key's value until all of that is there; whatever changes the collection, or reads it again, puts an end to it
/// before. A shard has one, used for one collection after the other.
/// </summary>
internal sealed unsafe class CollectionFreeze : ShardTask, IChangeListener
{
    // What is packed and not written yet, as far as that does not come of one long element.
    private const int MostAheadBytes = 2 * PageParts.PartBytes;

    private readonly Tier _tier;
    private readonly PassingWrite _write;
    private TierWorker _worker = null!;
    private MemoryCharge _ahead;
    private bool _waits;
    private RecordType _type;
    private byte* _root;
    private ulong _hash;
    private ulong _address;
    private long _generation;
    private int _frequency;
    private Record _frozen;
    private int _page;
    private long _valueOffset;
    private long _deviceBytes;
    private PackingCursor _cursor;
    private bool _isPageOpen;
    private long _bytesToFree;

    public CollectionFreeze(TieredStore store, Tier tier)
        : base(store)
    {
        _tier = tier;
        _write = new PassingWrite(OnPartWritten);
        _ahead = new MemoryCharge(store.Budget);
    }

    /// <summary>Whether a collection is being packed, or freed after that.</summary>
    public bool IsUnderWay { get; private set; }

    /// <summary>Begins with a collection.</summary>
    /// <param name="worker">The worker that makes the steps; on its thread.</param>
    /// <param name="scanned">The collection's record.</param>
    /// <param name="large">The same.</param>
    /// <param name="packedBytes">Bytes of the packed value, for which the record must get a page of its own.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Begin(TierWorker worker, in ScannedRecord scanned, in Record large, int packedBytes)
    {
        Invariant.Check(!IsUnderWay, "one collection after the other");
        var log = Store.Log;
        var key = large.KeyWith(scanned.Hash);
        var spec = new RecordSpec(key, large.Type, large.ExpiryMs, CollectionFlags.Frozen);
        _frozen = log.AppendPassing(spec, packedBytes, PageParts.PartBytes, out var image);
        _frozen.SetAccessed(large.Accessed);
        _page = image.Page;
        _deviceBytes = image.DeviceBytes;
        var start = log.StartOf(_page);
        _valueOffset = _frozen.KeyPointer + _frozen.KeyLength - start;
        _write.Begin(worker, Store.Tier!.Segments, image, start, log.Pages[_page].FrameBytes, _frozen);
        _isPageOpen = true;
        _worker = worker;
        _waits = false;
        _type = large.Type;
        _root = ShardCollections.RootOf(large);
        _hash = scanned.Hash;
        _address = large.Address;
        _generation = Store.Tier!.GenerationOf(_address);
        _frequency = scanned.Frequency;
        _cursor = default;
        IsUnderWay = true;
        Store.Changes.Add(this);
        _tier.OnFreezeStarted();
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
    public override StepResult Step()
    {
        if (_root != null)
        {
            Pack();
        }
        else if (!_isPageOpen)
        {
            Free();
        }

        if (_root == null && _isPageOpen && !_write.IsUnderWay)
        {
            ClosePage();
        }

        IsUnderWay = _root != null || _isPageOpen || _bytesToFree > 0;
        if (!IsUnderWay)
        {
            _tier.OnFreezeEnded();
            Store.Tier!.OnFreezeEnded();
            return StepResult.Done;
        }

        _waits = _write.IsUnderWay && (_root == null || !MayPack);
        return _waits ? StepResult.Waits : StepResult.More;
    }

    /// <inheritdoc/>
    public override void OnEnded(TierWorker worker) => _tier.NotifyRoom(); // By now the next may be under way.

    // Whether there is more to be packed, and the device keeps up.
    private bool MayPack => !_cursor.IsAtEnd && PackedBytes - _write.PassedBytes < MostAheadBytes;

    private long PackedBytes => _valueOffset + _cursor.Offset;

    /// <summary>On the thread of the worker that makes the steps.</summary>
    private void OnPartWritten()
    {
        if (_waits)
        {
            _waits = false;
            _worker.Add(this);
        }
    }

    private void Pack()
    {
        var slot = Store.FindSlot(_hash, _address);
        if (slot == null || Store.Tier!.GenerationOf(_address) != _generation
            || IndexEntry.Frequency(*slot) > _frequency || !Store.Log.TryOpen(_address, out var large)
            || !large.IsLarge || ShardCollections.RootOf(large) != _root || large.ExpiryMs != _frozen.ExpiryMs
            || _write.Error != 0)
        {
            GiveUp(); // It is read again, has another record, or is another key's by now; or the device failed.
            return;
        }

        if (_write.IsDone)
        {
            Exchange(slot, large);
            return;
        }

        if (MayPack)
        {
            TypeInfo.Of(_type).Large.PackSome(_root, _frozen.MutableValue, ref _cursor, _tier.StepEffort);
        }

        _write.GoOn(_cursor.IsAtEnd ? _deviceBytes : PackedBytes);
        Charge();
    }

    /// <summary>Charges what of the page takes memory beside what it is charged for itself.</summary>
    private void Charge()
    {
        var times = (long)_cursor.Times * HashRoot.PackedExpiryBytes;
        _ahead.Set(Math.Max(0, PackedBytes - _write.PassedBytes) + times);
    }

    /// <summary>Makes the frozen record the key's, which is on the device alone from here on. It has the same parts as
    /// the collection's: were one of them another by now, that would be another record.</summary>
    private void Exchange(ulong* slot, in Record large)
    {
        ClosePage();
        Store.Tier!.Drop(_page);
        Volatile.Write(ref *slot, IndexEntry.WithAddress(*slot, _frozen.Address));
        Store.Log.Forget(large);
        var root = _root;
        StopPacking();
        _bytesToFree = Store.Collections.DoomFrozen(_type, root);
    }

    /// <summary>Nothing more goes to the device.</summary>
    private void ClosePage()
    {
        _isPageOpen = false;
        _ahead.Set(0);
        _write.End();
        Store.Log.Device!.EndWrite(_page);
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
