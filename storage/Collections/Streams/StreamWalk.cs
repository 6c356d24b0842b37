using System.Runtime.InteropServices;
using Strata.Storage.Log;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// Goes through all parts of a stream in whatever form: packed, frozen or large (<see cref="StreamPartKind"/>). It may
/// stop after any of them and go on later, as long as the stream was not changed meanwhile; its record may have been
/// moved. A copy of it goes on from where it was made. Used under the shard's lease.
/// </summary>
public unsafe struct StreamWalk
{
    private readonly StreamRoot* _root;

    // Of a packed stream: where the next part begins, and how many of each kind come before one of the kind above.
    private int _offset;
    private long _blocks;
    private long _groups;
    private long _consumers;
    private long _pending;

    // Of a large one.
    private IdPlace _block;
    private NamePlace _group;
    private NamePlace _consumer;
    private IdPlace _entry;
    private GroupBlock* _groupOfEntries;

    /// <summary>Stands before the first part of a record's stream.</summary>
    public StreamWalk(in Record record)
        : this(
            record.IsLarge ? (StreamRoot*)ShardCollections.RootOf(record) : null,
            record.IsLarge ? default : record.Value)
    {
    }

    /// <summary>Stands before the first part of a large stream.</summary>
    internal StreamWalk(StreamRoot* root)
        : this(root, default)
    {
    }

    /// <summary>Stands before the first part of a packed one.</summary>
    internal StreamWalk(ReadOnlySpan<byte> packed)
        : this(null, packed)
    {
    }

    private StreamWalk(StreamRoot* root, ReadOnlySpan<byte> packed)
    {
        _root = root;
        if (root != null)
        {
            _block = root->Blocks.First;
            _group = root->Groups.First;
            _blocks = root->Blocks.Count;
            return;
        }

        _offset = PackedStream.HeaderBytes;
        _blocks = MemoryMarshal.Read<int>(packed[sizeof(int)..]) & int.MaxValue;
        _groups = PackedForm.HasTrailer(packed) ? -1 : 0;
    }

    /// <summary>Of a packed stream, where the next part begins.</summary>
    internal readonly int PackedOffset => _offset;

    /// <summary>Blocks that were not met yet.</summary>
    public readonly long BlocksLeft => _blocks;

    /// <summary>The number of groups, when all blocks were met and no group yet.</summary>
    /// <param name="record">The stream's record, as it is now.</param>
    public readonly long GroupCount(in Record record)
        => _root != null ? _root->Groups.Count
            : _groups == 0 ? 0
            : MemoryMarshal.Read<long>(record.Value[_offset..]);

    /// <summary>Gives the next part.</summary>
    /// <param name="record">The stream's record, as it is now.</param>
    /// <param name="part">The part.</param>
    /// <returns>False when there is none.</returns>
    public bool TryNext(in Record record, out StreamPart part)
        => _root != null ? TryNextLarge(out part) : TryNextPacked(record.Value, out part);

    /// <summary>Gives the next part of a packed stream.</summary>
    internal bool TryNextPacked(ReadOnlySpan<byte> packed, out StreamPart part)
    {
        part = default;
        if (_blocks > 0)
        {
            _blocks--;
            var block = (StreamBlock*)System.Runtime.CompilerServices.Unsafe.AsPointer(
                ref MemoryMarshal.GetReference(packed[_offset..]));
            _offset += block->Bytes;
            part = new StreamPart(StreamPartKind.Block) { Block = block, Id = block->FirstId };
            return true;
        }

        if (_pending > 0)
        {
            _pending--;
            part = PackedStream.ReadPending(packed, ref _offset);
            return true;
        }

        if (_consumers > 0)
        {
            _consumers--;
            part = PackedStream.ReadConsumer(packed, ref _offset);
            _pending = part.PendingCount;
            return true;
        }

        if (_groups < 0)
        {
            _groups = MemoryMarshal.Read<long>(packed[_offset..]);
            _offset += PackedStream.GroupCountBytes;
        }

        if (_groups == 0)
        {
            return false;
        }

        _groups--;
        part = PackedStream.ReadGroup(packed, ref _offset);
        _consumers = part.ConsumerCount;
        return true;
    }

    /// <summary>Gives the next part of a large stream.</summary>
    internal bool TryNextLarge(out StreamPart part)
    {
        if (!_block.IsNone)
        {
            _blocks--;
            part = new StreamPart(StreamPartKind.Block) { Block = (StreamBlock*)*_block.Words, Id = _block.Id };
            _block.MoveNext();
            return true;
        }

        if (!_entry.IsNone)
        {
            var words = _groupOfEntries->Pending.Find(_entry.Id);
            part = new StreamPart(StreamPartKind.Pending)
            {
                Id = _entry.Id,
                DeliveredMs = (long)words[1],
                Deliveries = (long)words[2],
            };
            _entry.MoveNext();
            return true;
        }

        if (!_consumer.IsNone)
        {
            part = Next(ConsumerBlock.Of(_consumer.Named));
            return true;
        }

        if (_group.IsNone)
        {
            part = default;
            return false;
        }

        part = Next(GroupBlock.Of(_group.Named));
        return true;
    }

    private StreamPart Next(GroupBlock* group)
    {
        _group.MoveNext();
        _groupOfEntries = group;
        _consumer = group->Consumers.First;
        return new StreamPart(StreamPartKind.Group)
        {
            Name = GroupBlock.NameOf(group),
            Id = group->LastId,
            EntriesRead = group->EntriesRead,
            PendingCount = group->Pending.Count,
            ConsumerCount = group->Consumers.Count,
        };
    }

    private StreamPart Next(ConsumerBlock* consumer)
    {
        _consumer.MoveNext();
        _entry = consumer->Pending.First;
        return new StreamPart(StreamPartKind.Consumer)
        {
            Name = ConsumerBlock.NameOf(consumer),
            SeenMs = consumer->SeenMs,
            ActiveMs = consumer->ActiveMs,
            PendingCount = consumer->Pending.Count,
        };
    }
}
