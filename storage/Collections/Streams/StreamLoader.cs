using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// Makes a stream of blocks of entries, and then of groups, which come as files have them: what is pending in a group,
/// then its consumers, and behind each which of that is its own. What is not as in a stream is refused, and the stream
/// is to be abandoned then.
/// </summary>
public sealed unsafe class StreamLoader : CollectionLoader
{
    /// <summary>Entries that a group has read, where their number is not known.</summary>
    public const long Unknown = -1;

    // Of an entry that comes text by text, where each of them begins.
    private const int LeastOffsets = 64;

    private readonly MemoryBudget _budget;
    private NativeList<int>? _offsets;
    private StreamBlock* _block;
    private GroupBlock* _group;
    private ConsumerBlock* _consumer;
    private StreamId _last;
    private long _unassigned;

    /// <inheritdoc cref="CollectionLoader(RecordType, MemoryBudget)"/>
    public StreamLoader(MemoryBudget budget)
        : base(RecordType.Stream, budget)
    {
        _budget = budget;
    }

    /// <inheritdoc/>
    public override bool MayBeEmpty => true;

    /// <summary>The highest id of an entry by now.</summary>
    public StreamId LastEntryId => _last;

    /// <inheritdoc/>
    private protected override int HeaderBytes => PackedStream.HeaderBytes;

    private Span<int> Offsets => _offsets == null ? default : _offsets.Span;

    private StreamRoot* Stream
    {
        get
        {
            if (Root == null)
            {
                MakeLarge();
            }

            return (StreamRoot*)Root;
        }
    }

    /// <summary>Begins with a stream without anything for a shard.</summary>
    public new void Begin(CollectionStore store)
    {
        base.Begin(store);
        _block = null;
        _group = null;
        _consumer = null;
        _last = default;
        _unassigned = 0;
    }

    /// <summary>Forgets the texts that were gathered.</summary>
    public void BeginTexts()
    {
        PackedBytes = 0;
        _offsets?.Free();
    }

    /// <summary>Gathers a text: the name of a field, or a value.</summary>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    public void AddText(ReadOnlySpan<byte> text)
    {
        try
        {
            _offsets ??= new NativeList<int>(_budget, LeastOffsets);
            _offsets.Add(PackedBytes);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException("the system gave no memory for an entry of a stream", exception);
        }

        _ = PackedForm.Write(Extend(PackedForm.SizeOf(text.Length)), text);
    }

    /// <summary>Begins a block, whose entries have the fields that were gathered unless they have others.</summary>
    /// <param name="firstId">From which the ids of its entries count.</param>
    /// <returns>False if that is not above all ids before.</returns>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    public bool TryBeginBlock(StreamId firstId)
    {
        if (Stream->Blocks.Count > 0 && firstId <= _last)
        {
            return false;
        }

        Ask(PackedBytes);
        BeginBlock(firstId, new GatheredFields(PackedStart, Offsets, areTurns: false));
        return true;
    }

    /// <summary>Adds an entry of the texts that were gathered.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="hasOwnFields">Whether the texts are names and values in turn; else they are values, of the fields
    /// of the block.</param>
    /// <returns>False if the id is not above all others, it has no fields, or the block has another number of them: no
    /// command could make it.</returns>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    public bool TryAddEntry(StreamId id, bool hasOwnFields)
    {
        var fields = new GatheredFields(PackedStart, Offsets, hasOwnFields);
        if (id < _block->FirstId || id <= _last || fields.Count == 0
            || (!hasOwnFields && fields.Count != _block->FieldCount))
        {
            return false;
        }

        Ask(PackedBytes);

        // The fields, which each block has, take no more than what they are there for.
        if (_block->Bytes - _block->FieldBytes > Math.Max(Limits.MaxStreamBlockBytes, _block->FieldBytes))
        {
            Continue(id);
        }

        var size = StreamEntry.SizeOf(_block->FirstId, id, fields, !hasOwnFields);
        _block = LargeStream.Append(Heap, Stream, _block, id, fields, size);
        _last = id;
        return true;
    }

    /// <summary>Ends a block. One without entries is none.</summary>
    /// <param name="deleted">Entries that were deleted in it.</param>
    /// <param name="lastId">The id of the last entry that it had, deleted or not.</param>
    /// <param name="listpackBytes">Bytes it has in the form it came in, by which Redis decides where the next one
    /// begins.</param>
    public void EndBlock(long deleted, StreamId lastId, int listpackBytes)
    {
        if (_block->Count == 0)
        {
            StreamRoot.RemoveBlock(Heap, Stream, _block);
            return;
        }

        _block->Deleted = (int)Math.Min(deleted, int.MaxValue / 2);
        if (deleted > 0)
        {
            _block->LastId = lastId > _block->LastId ? lastId : _block->LastId;
            _block->ListpackBytes = (int)Math.Max(
                0, listpackBytes - ListpackSize.Of(_block->Count) - ListpackSize.Of(deleted));
        }

        _block = StreamRoot.TrimBlock(Heap, Stream, _block);
    }

    /// <summary>Sets what the stream knows beside its entries, all of which are there.</summary>
    /// <returns>False if an entry's id is above the last one, or fewer entries were added than there are.</returns>
    public bool TrySetIds(StreamId lastId, StreamId maxDeletedId, long entriesAdded)
    {
        var stream = Stream;
        stream->Meta.LastId = lastId;
        stream->Meta.MaxDeletedId = maxDeletedId <= lastId ? maxDeletedId : lastId; // XSETID of Redis 7.0 goes below.
        stream->Meta.EntriesAdded = entriesAdded;
        StreamRoot.RefreshFirst(stream);
        return _last <= lastId && entriesAdded >= Count;
    }

    /// <summary>How many entries a group has read whose last one has some id:
    /// <see cref="StreamView.CountUpTo(StreamId)"/>.</summary>
    public long CountUpTo(StreamId id) => StreamView.CountUpTo(Stream->Meta, Count, id);

    /// <summary>Adds a group.</summary>
    /// <returns>False when there is one of the name.</returns>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    public bool TryAddGroup(ReadOnlySpan<byte> name, StreamId lastId, long entriesRead)
    {
        Ask(PackedStream.BytesOfGroup(name.Length) + sizeof(GroupBlock));
        var isNew = Stream->Groups.Find(name) == null;
        _group = isNew ? GroupBlock.Add(Heap, Stream, name, lastId, entriesRead) : null;
        _consumer = null;
        return isNew;
    }

    /// <summary>Adds an entry that is pending in the group, for a consumer that will be named.</summary>
    /// <returns>False when it is pending already.</returns>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    public bool TryAddPending(StreamId id, long deliveredMs, long deliveries)
    {
        if (_group->Pending.Find(id) != null)
        {
            return false;
        }

        Ask(IdNode.StrideOf(GroupBlock.PendingWords));
        var words = _group->Pending.Add(new StreamMemory(Heap, Stream, _group), id);
        words[0] = 0;
        words[1] = (ulong)deliveredMs;
        words[2] = (ulong)deliveries;
        _unassigned++;
        return true;
    }

    /// <summary>Adds a consumer of the group.</summary>
    /// <returns>False when there is one of the name.</returns>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    public bool TryAddConsumer(ReadOnlySpan<byte> name, long seenMs, long activeMs)
    {
        Ask(PackedStream.BytesOfConsumer(name.Length) + sizeof(ConsumerBlock));
        var isNew = _group->Consumers.Find(name) == null;
        _consumer = isNew ? ConsumerBlock.Add(Heap, Stream, _group, name, seenMs, activeMs) : null;
        return isNew;
    }

    /// <summary>Gives the consumer an entry that is pending.</summary>
    /// <returns>False when it is not, or is another's.</returns>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    public bool TryAssign(StreamId id)
    {
        var words = _group->Pending.Find(id);
        if (words == null || *words != 0)
        {
            return false;
        }

        var memory = new StreamMemory(Heap, Stream, _group);
        _ = _consumer->Pending.Add(memory, id);
        *words = (ulong)_consumer;
        memory.AddPacked(PackedStream.PendingBytes);
        _unassigned--;
        return true;
    }

    /// <summary>Ends the group.</summary>
    /// <returns>False if something is pending for nobody.</returns>
    public bool TryEndGroup() => _unassigned == 0;

    /// <inheritdoc/>
    public override void Free()
    {
        base.Free();
        _offsets?.Dispose();
        _offsets = null;
    }

    /// <summary>Takes over what another stream knows beside its parts.</summary>
    internal void Begin(CollectionStore store, in StreamMeta meta)
    {
        Begin(store);
        Stream->Meta = meta;
    }

    /// <summary>Adds a part of another stream.</summary>
    /// <exception cref="MemoryExhaustedException">The stream is to be abandoned.</exception>
    internal void Add(in StreamPart part)
    {
        Ask(part.Kind == StreamPartKind.Block ? part.BlockBytes : part.Name.Length + PackedStream.PendingBytes);
        new StreamBuilder(Heap, Stream, ref _group, ref _consumer).Add(part);
    }

    /// <inheritdoc/>
    private protected override bool FitsPacked(long packedBytes)
        => packedBytes <= Limits.MaxPackedStreamBytes && Stream->Groups.Count == 0 && Stream->Blocks.Count <= 1;

    /// <inheritdoc/>
    private protected override void WriteHeader()
    {
        // A stream is made large before it has anything.
    }

    private void BeginBlock(StreamId firstId, in GatheredFields fields)
    {
        var nameBytes = LargeStream.NameBytesOf(fields);
        var needed = checked(sizeof(StreamBlock) + nameBytes);
        _block = StreamRoot.AddBlock(Heap, Stream, firstId, Math.Max(needed, LargeStream.LeastBlockBytes));
        StreamBlock.Begin(_block, firstId, fields, nameBytes);
        Stream->EntryBytes += _block->Bytes;
    }

    /// <summary>Begins another block with the fields of one that has become too long.</summary>
    private void Continue(StreamId firstId)
    {
        var before = _block;
        var bytes = sizeof(StreamBlock) + before->FieldBytes;
        Ask(bytes);
        _block = StreamRoot.AddBlock(Heap, Stream, firstId, Math.Max(bytes, LargeStream.LeastBlockBytes));
        var capacity = _block->Capacity;
        Buffer.MemoryCopy(before, _block, capacity, bytes);
        _block->FirstId = firstId;
        _block->LastId = firstId;
        _block->Capacity = capacity;
        _block->Bytes = bytes;
        _block->Count = 0;
        Stream->EntryBytes += bytes;
        _ = StreamRoot.TrimBlock(Heap, Stream, before);
    }
}
