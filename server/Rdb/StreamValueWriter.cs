using System.Buffers.Binary;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;

namespace Strata.Server.Rdb;

/// <summary>
/// Streams: for each block the id of its first entry and a listpack; how many entries there are, the last id, the first
/// one, the highest one that was deleted, and how many were ever added; then the groups, each with what is pending in
/// it, and with its consumers, who have ids of that. What is pending stands in front of the consumers, so these are
/// gone through twice.
/// </summary>
internal sealed class StreamValueWriter(RdbOutput blob) : ValueWriter
{
    private const int IdBytes = 16;
    private const int SameFields = 2;
    private const int OwnFields = 0;

    private bool _compresses;
    private bool _hasActiveTimes;
    private Stage _stage;
    private StreamWalk _walk;

    // Of a group, where its consumers begin, how many there are, and how much of what is pending is not written yet.
    private StreamWalk _consumers;
    private long _consumerCount;
    private long _pendingLeft;

    private enum Stage
    {
        Begin,
        Blocks,
        Pending,
        Groups,
    }

    /// <inheritdoc/>
    public override byte Begin(in Record record, bool compresses)
    {
        _compresses = compresses;
        _stage = Stage.Begin;
        _walk = new StreamWalk(record);
        _hasActiveTimes = new StreamView(record).HasUnevenConsumers;
        return _hasActiveTimes ? RdbType.Stream3 : RdbType.Stream2;
    }

    /// <inheritdoc/>
    public override bool Step(in Record record, RdbOutput output, int effort)
    {
        if (_stage == Stage.Begin)
        {
            output.WriteLength(_walk.BlocksLeft);
            _stage = Stage.Blocks;
        }

        while (effort > 0)
        {
            if (_stage == Stage.Blocks && _walk.BlocksLeft == 0)
            {
                WriteMeta(record, output);
                _stage = Stage.Groups;
            }

            if (!_walk.TryNext(record, out var part))
            {
                return true;
            }

            if (part.Kind == StreamPartKind.Block)
            {
                WriteBlock(part, output);
                effort -= EffortFor(part.BlockBytes);
                continue;
            }

            Write(part, output);
            effort -= EffortFor(part.Name.Length);
        }

        return false;
    }

    private static void Write(StreamId id, Span<byte> target)
    {
        BinaryPrimitives.WriteUInt64BigEndian(target, id.Ms);
        BinaryPrimitives.WriteUInt64BigEndian(target[sizeof(ulong)..], id.Seq);
    }

    private static void WriteNumbers(RdbOutput output, StreamId id)
    {
        output.WriteLength((long)id.Ms);
        output.WriteLength((long)id.Seq);
    }

    private void WriteMeta(in Record record, RdbOutput output)
    {
        var stream = new StreamView(record);
        output.WriteLength(stream.Count);
        WriteNumbers(output, stream.LastId);
        WriteNumbers(output, stream.FirstId);
        WriteNumbers(output, stream.MaxDeletedId);
        output.WriteLength(stream.EntriesAdded);
        output.WriteLength(_walk.GroupCount(record));
    }

    private void Write(in StreamPart part, RdbOutput output)
    {
        switch (part.Kind)
        {
            case StreamPartKind.Group:
                output.WriteString(part.Name, _compresses);
                WriteNumbers(output, part.Id);
                output.WriteLength(part.EntriesRead);
                output.WriteLength(part.PendingCount);
                _pendingLeft = part.PendingCount;
                _consumerCount = part.ConsumerCount;
                _consumers = _walk;
                _stage = Stage.Pending;
                break;
            case StreamPartKind.Consumer when _stage == Stage.Groups:
                output.WriteString(part.Name, _compresses);
                output.WriteInt64(part.SeenMs);
                if (_hasActiveTimes)
                {
                    output.WriteInt64(part.ActiveMs);
                }

                output.WriteLength(part.PendingCount);
                break;
            case StreamPartKind.Pending:
                Write(part.Id, output.Append(IdBytes));
                if (_stage == Stage.Pending)
                {
                    output.WriteInt64(part.DeliveredMs);
                    output.WriteLength(part.Deliveries);
                    _pendingLeft--;
                }

                break;
        }

        if (_stage == Stage.Pending && _pendingLeft == 0)
        {
            output.WriteLength(_consumerCount);
            _walk = _consumers;
            _stage = Stage.Groups;
        }
    }

    private void WriteBlock(in StreamPart block, RdbOutput output)
    {
        ListpackWriter.Begin(blob);
        var fields = block.Fields;
        ListpackWriter.Add(blob, block.EntryCount);
        ListpackWriter.Add(blob, 0);
        ListpackWriter.Add(blob, fields.Count);
        var elements = 4L + fields.Count;
        while (fields.TryNext(out var name))
        {
            ListpackWriter.Add(blob, name);
        }

        ListpackWriter.Add(blob, 0);
        var entries = block.Entries;
        while (entries.TryNext())
        {
            elements += AddEntry(block.Id, ref entries);
        }

        ListpackWriter.Finish(blob, elements);
        Span<byte> id = stackalloc byte[IdBytes];
        Write(block.Id, id);
        output.WriteString(id, compresses: false);
        output.WriteString(blob.Written, _compresses);
    }

    private long AddEntry(StreamId firstId, ref StreamCursor entry)
    {
        var hasOwnFields = !entry.HasBlockFields;
        ListpackWriter.Add(blob, hasOwnFields ? OwnFields : SameFields);
        ListpackWriter.Add(blob, (long)(entry.Id.Ms - firstId.Ms));
        ListpackWriter.Add(blob, (long)(entry.Id.Seq - firstId.Seq));
        var elements = 3L + entry.FieldCount;
        if (hasOwnFields)
        {
            ListpackWriter.Add(blob, entry.FieldCount);
            elements += 1 + entry.FieldCount;
        }

        while (entry.TryNextField(out var name, out var value))
        {
            if (hasOwnFields)
            {
                ListpackWriter.Add(blob, name);
            }

            ListpackWriter.Add(blob, value);
        }

        ListpackWriter.Add(blob, elements);
        return elements + 1;
    }
}
