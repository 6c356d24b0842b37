using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// Changes the stream of a key that was just looked up, under the lease of its shard, and makes a packed one large when
/// it grows, or gets a group. A stream without entries stays a key.
/// Every member throws <see cref="MemoryExhaustedException"/> only before it changed anything.
/// </summary>
public unsafe ref struct StreamEditor
{
    private readonly CollectionStore _store;
    private readonly Key _key;
    private readonly StreamLimits _limits;
    private readonly bool _wasMissing;
    private Record _record;
    private StreamRoot* _root;

    /// <summary>An editor of a record's stream, which is not frozen, or of one that is not there yet.</summary>
    public StreamEditor(
        CollectionStore store, scoped in Key key, scoped in Record record, scoped in StreamLimits limits)
    {
        store.Changes.Before(key, record);
        _store = store;
        _key = key;
        _limits = limits;
        _wasMissing = record.IsNull;
        _record = record;
        _root = !record.IsNull && record.IsLarge ? (StreamRoot*)ShardCollections.RootOf(record) : null;
    }

    /// <summary>Whether there is no such key yet.</summary>
    public readonly bool IsMissing => _record.IsNull;

    private readonly SlabHeap Heap => _store.Collections.Heap;

    private readonly byte* Packed => _record.ValuePointer;

    private readonly ref StreamMeta Meta => ref *(_root != null ? &_root->Meta : PackedStream.MetaOf(Packed));

    /// <summary>The stream as it is now.</summary>
    public readonly StreamView Read() => new(_record);

    /// <summary>Makes a stream without entries, if there is none.</summary>
    public void Create()
    {
        if (_record.IsNull)
        {
            var spec = new RecordSpec(_key, RecordType.Stream, expiryMs: -1);
            _record = _store.Write(_key, _record, spec, PackedStream.HeaderBytes);
            _record.MutableValue.Clear();
        }
    }

    /// <summary>Adds an entry.</summary>
    /// <param name="id">Its id, above the stream's last one.</param>
    /// <param name="fields">Its fields, at least one; less than 1 GB of them.</param>
    public void Append<TFields>(StreamId id, scoped in TFields fields)
        where TFields : struct, IStreamFields, allows ref struct
    {
        if (_root != null || !TryAppendPacked(id, fields))
        {
            AppendLarge(id, fields);
        }

        ref var meta = ref Meta;
        meta.LastId = id;
        meta.EntriesAdded += meta.EntriesAdded < long.MaxValue ? 1 : 0; // A client may have set it to the most.
        if (Read().Count == 1)
        {
            meta.FirstId = id;
        }
    }

    /// <summary>Removes the first entries.</summary>
    /// <returns>How many went.</returns>
    public long Trim(in StreamTrim trim)
        => _root != null ? TrimLarge(trim) : _record.IsNull ? 0 : TrimPacked(trim);

    /// <summary>What goes first where a large stream is trimmed, to be found before <see cref="Remove"/>.</summary>
    public readonly StreamFront Front(in StreamTrim trim) => new(_root, trim);

    /// <summary>Trims a large stream whose front was found.</summary>
    /// <returns>How many entries went.</returns>
    public readonly long Remove(scoped in StreamFront front) => front.Remove(_store.Collections, _root);

    /// <summary>Deletes an entry, and notes that it was deleted.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Delete(StreamId id)
    {
        var isDeleted = !_record.IsNull && (_root != null ? LargeStream.Delete(Heap, _root, id) : DeletePacked(id));
        if (isDeleted && id > Meta.MaxDeletedId)
        {
            Meta.MaxDeletedId = id;
        }

        return isDeleted;
    }

    /// <summary>Sets the id that the next entry's is to be above.</summary>
    public void SetLastId(StreamId id)
    {
        MakeMutable();
        Meta.LastId = id;
    }

    /// <summary>Sets how many entries were ever added.</summary>
    public void SetEntriesAdded(long count)
    {
        MakeMutable();
        Meta.EntriesAdded = count;
    }

    /// <summary>Sets the highest id that was deleted.</summary>
    public void SetMaxDeletedId(StreamId id)
    {
        MakeMutable();
        Meta.MaxDeletedId = id;
    }

    /// <summary>Makes a group.</summary>
    /// <returns>False when there is one of the name, which is given then.</returns>
    public bool TryCreateGroup(
        scoped ReadOnlySpan<byte> name, StreamId lastId, long entriesRead, out StreamGroup group)
    {
        if (Read().TryFindGroup(name, out group))
        {
            return false;
        }

        var root = BeginLarge();
        try
        {
            group = new StreamGroup(GroupBlock.Add(Heap, root, name, lastId, entriesRead));
            Keep(root);
            return true;
        }
        catch (MemoryExhaustedException)
        {
            GiveUp(root);
            throw;
        }
    }

    /// <summary>Removes a group with all it has, which is freed by and by.</summary>
    public readonly void DestroyGroup(StreamGroup group)
    {
        // What is given up is always a stream: it is put into one that nobody has.
        var last = StreamRoot.Create(Heap);
        try
        {
            GroupBlock.PutIn(Heap, last, group.Block);
        }
        catch (MemoryExhaustedException)
        {
            Heap.Free((byte*)last, sizeof(StreamRoot));
            throw;
        }

        GroupBlock.TakeOut(Heap, _root, group.Block);
        _ = _store.Collections.Doom(RecordType.Stream, (byte*)last);
    }

    /// <summary>A group, to be changed.</summary>
    public readonly GroupEditor Edit(StreamGroup group) => new(Heap, _root, group.Block);

    /// <summary>Puts a group's copy, with what was changed there, in the place of the group. Nothing is allocated.
    /// </summary>
    public readonly void Exchange(GroupCopy copy) => copy.Exchange(_root);

    /// <summary>Puts a copy of the entries, with what was changed there, in their place. Nothing is allocated.
    /// </summary>
    public readonly void Exchange(EntriesCopy copy) => copy.Exchange(_root);

    /// <summary>Removes a consumer with what is pending for it.</summary>
    /// <returns>How many entries were pending.</returns>
    public readonly long DeleteConsumer(StreamConsumer consumer)
    {
        var pending = consumer.PendingCount;
        _ = PendingEntries.RemoveSome(Heap, _root, consumer.Block, int.MaxValue);
        ConsumerBlock.Remove(Heap, _root, consumer.Block);
        return pending;
    }

    /// <summary>Takes some pending entries away from a consumer.</summary>
    /// <param name="consumer">The consumer.</param>
    /// <param name="most">How many at most.</param>
    /// <returns>Whether it has none left.</returns>
    public readonly bool DeletePendingSome(StreamConsumer consumer, int most)
        => PendingEntries.RemoveSome(Heap, _root, consumer.Block, most);

    /// <summary>Tells what was done; there is more to be told of it.</summary>
    public readonly void Tell(in Change change) => _store.Changes.Tell(_key, _record, change);

    /// <summary>Tells what was done, and if so that the key is new.</summary>
    public readonly void End(in Change change) => _store.Changes.TellWhole(_key, _wasMissing, _record, change);

    private readonly long TrimLarge(in StreamTrim trim)
    {
        if (trim.IsDone(_root->Count))
        {
            return 0;
        }

        var front = Front(trim);
        var effort = long.MaxValue;
        _ = front.TryFind(ref effort);
        return Remove(front);
    }

    private void AppendLarge<TFields>(StreamId id, scoped in TFields fields)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var root = BeginLarge();
        try
        {
            LargeStream.Append(Heap, root, id, fields, _limits);
            Keep(root);
        }
        catch (MemoryExhaustedException)
        {
            GiveUp(root);
            throw;
        }
    }

    /// <summary>The stream, large; one that is not there is not the key's before it is kept.</summary>
    private StreamRoot* BeginLarge()
    {
        if (_root == null && !_record.IsNull)
        {
            _record = _store.Collections.Thaw(_key, _record);
            _root = (StreamRoot*)ShardCollections.RootOf(_record);
        }

        return _root != null ? _root : StreamRoot.Create(Heap);
    }

    private void Keep(StreamRoot* root)
    {
        if (_root == null)
        {
            _record = _store.Collections.WriteLarge(_key, _record, RecordType.Stream, expiryMs: -1, (byte*)root);
            _root = root;
        }
    }

    private readonly void GiveUp(StreamRoot* root)
    {
        if (_root == null)
        {
            _ = _store.Collections.Doom(RecordType.Stream, (byte*)root);
        }
    }

    /// <summary>A packed value is written where it may be changed.</summary>
    private void MakeMutable()
    {
        if (_root == null)
        {
            _record = _store.Collections.Splice(_key, _record, _record.ValueLength, removed: 0, inserted: 0);
        }
    }

    private bool TryAppendPacked<TFields>(StreamId id, scoped in TFields fields)
        where TFields : struct, IStreamFields, allows ref struct
    {
        if (fields.Count > Limits.MaxPackedStreamBytes)
        {
            return false;
        }

        var block = _record.IsNull ? null : PackedStream.BlockOf(Packed);
        if (block == null)
        {
            return TryBeginPacked(id, fields);
        }

        if (StreamBlock.IsFull(block, LargeStream.BytesOf(fields), _limits))
        {
            return false;
        }

        var size = StreamEntry.SizeOf(block->FirstId, id, fields, StreamBlock.HasSameFields(block, fields));
        var bytes = size.Bytes;
        if (_record.ValueLength + (long)bytes > Limits.MaxPackedStreamBytes)
        {
            return false;
        }

        _record = _store.Collections.Splice(_key, _record, _record.ValueLength, removed: 0, bytes);
        StreamBlock.Append(PackedStream.BlockOf(Packed), id, fields, size);
        PackedStream.SetCounts(Packed, PackedStream.CountOf(Packed) + 1, blocks: 1);
        return true;
    }

    private bool TryBeginPacked<TFields>(StreamId id, scoped in TFields fields)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var size = StreamEntry.SizeOf(id, id, fields, isSame: true);
        var nameBytes = LargeStream.NameBytesOf(fields);
        var bytes = sizeof(StreamBlock) + (long)nameBytes + size.Bytes;
        if (PackedStream.HeaderBytes + bytes > Limits.MaxPackedStreamBytes)
        {
            return false;
        }

        if (_record.IsNull)
        {
            var spec = new RecordSpec(_key, RecordType.Stream, expiryMs: -1);
            _record = _store.Write(_key, _record, spec, PackedStream.HeaderBytes + (int)bytes);
            _record.MutableValue.Clear();
        }
        else
        {
            _record = _store.Collections.Splice(_key, _record, _record.ValueLength, removed: 0, (int)bytes);
        }

        var block = (StreamBlock*)(Packed + PackedStream.HeaderBytes);
        block->Capacity = 0;
        StreamBlock.Begin(block, id, fields, nameBytes);
        StreamBlock.Append(block, id, fields, size);
        PackedStream.SetCounts(Packed, count: 1, blocks: 1);
        return true;
    }

    private long TrimPacked(in StreamTrim trim)
    {
        var block = PackedStream.BlockOf(Packed);
        var count = PackedStream.CountOf(Packed);
        if (block == null || trim.IsDone(count) || (trim.Limit > 0 && count > trim.Limit))
        {
            return 0;
        }

        if (trim.TakesAll(block, count))
        {
            RemovePackedBlock();
            return count;
        }

        var entries = 0;
        if (!trim.IsApproximate && (entries = trim.CountIn(block, count, out var bytes)) > 0)
        {
            RemovePacked((int)(StreamBlock.Start(block) - Packed), entries, bytes);
        }

        return entries;
    }

    private bool DeletePacked(StreamId id)
    {
        var block = PackedStream.BlockOf(Packed);
        var entry = block == null ? null : StreamBlock.Find(block, id);
        if (entry == null)
        {
            return false;
        }

        if (block->Count == 1)
        {
            RemovePackedBlock();
        }
        else
        {
            RemovePacked((int)(entry - Packed), 1, StreamEntry.SizeAt(block, entry));
        }

        return true;
    }

    private void RemovePackedBlock()
    {
        const int Start = PackedStream.HeaderBytes;
        _record = _store.Collections.Splice(_key, _record, Start, _record.ValueLength - Start, inserted: 0);
        PackedStream.SetCounts(Packed, count: 0, blocks: 0);
        Meta.FirstId = default;
    }

    private void RemovePacked(int offset, int entries, int bytes)
    {
        _record = _store.Collections.Splice(_key, _record, offset, bytes, inserted: 0);
        var block = PackedStream.BlockOf(Packed);
        StreamBlock.CountOut(block, entries, bytes);
        PackedStream.SetCounts(Packed, block->Count, blocks: 1);
        Meta.FirstId = StreamBlock.IdAt(block, StreamBlock.Start(block));
    }
}
