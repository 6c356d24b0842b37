using System.Buffers.Text;
using Strata.Server.Rdb;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>
/// Writes streams as the commands that make them, those that Redis rewrites its append-only file with: an XADD for each
/// entry, XSETID, XGROUP CREATE for each group, and for each consumer XGROUP CREATECONSUMER, or an XCLAIM for each
/// entry that it has not acknowledged. When a consumer was seen is not among them, and XCLAIM makes no pending entry of
/// what is not in the stream any more: both are kept by the other forms of a base alone.
/// </summary>
internal sealed class StreamCommands : IDisposable
{
    private const int LongestId = 41;

    private readonly RdbOutput _group;
    private readonly RdbOutput _consumer;
    private StreamWalk _walk;
    private bool _hasIds;

    /// <summary>A writer that has nothing to write yet.</summary>
    public StreamCommands(MemoryBudget budget)
    {
        _group = new RdbOutput(budget);
        _consumer = new RdbOutput(budget);
    }

    /// <summary>Begins with a stream.</summary>
    public void Begin(in Record record)
    {
        _walk = new StreamWalk(record);
        _hasIds = false;
    }

    /// <inheritdoc cref="IEntryWriter.Step"/>
    public bool Step(in Record record, RdbOutput output, int effort)
    {
        while (effort > 0)
        {
            if (!_hasIds && _walk.BlocksLeft == 0)
            {
                WriteIds(record, output);
                _hasIds = true;
            }

            if (!_walk.TryNext(record, out var part))
            {
                return true;
            }

            if (part.Kind == StreamPartKind.Block)
            {
                WriteEntries(record, part, output);
                effort -= StepEffort.Of(part.BlockBytes);
            }
            else
            {
                Write(record, part, output);
                effort -= StepEffort.Of(part.Name.Length);
            }
        }

        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _group.Dispose();
        _consumer.Dispose();
    }

    private static void Id(RdbOutput output, StreamId id)
    {
        Span<byte> text = stackalloc byte[LongestId];
        _ = Utf8Formatter.TryFormat(id.Ms, text, out var length);
        text[length++] = (byte)'-';
        _ = Utf8Formatter.TryFormat(id.Seq, text[length..], out var rest);
        CommandText.Argument(output, text[..(length + rest)]);
    }

    private static void WriteEntries(in Record record, in StreamPart block, RdbOutput output)
    {
        var entries = block.Entries;
        while (entries.TryNext())
        {
            CommandText.Begin(output, "XADD"u8, 3 + (2 * entries.FieldCount));
            CommandText.Argument(output, record.Key);
            Id(output, entries.Id);
            while (entries.TryNextField(out var name, out var value))
            {
                CommandText.Argument(output, name);
                CommandText.Argument(output, value);
            }
        }
    }

    private static void WriteIds(in Record record, RdbOutput output)
    {
        var stream = new StreamView(record);
        if (stream.Count == 0)
        {
            CommandText.Begin(output, "XADD"u8, 7);
            CommandText.Argument(output, record.Key);
            CommandText.Argument(output, "MAXLEN"u8);
            CommandText.Argument(output, 0);
            Id(output, new StreamId(0, 1));
            CommandText.Argument(output, "x"u8);
            CommandText.Argument(output, "y"u8);
        }

        CommandText.Begin(output, "XSETID"u8, 7);
        CommandText.Argument(output, record.Key);
        Id(output, stream.LastId);
        CommandText.Argument(output, "ENTRIESADDED"u8);
        CommandText.Argument(output, stream.EntriesAdded);
        CommandText.Argument(output, "MAXDELETEDID"u8);
        Id(output, stream.MaxDeletedId);
    }

    private void Write(in Record record, in StreamPart part, RdbOutput output)
    {
        switch (part.Kind)
        {
            case StreamPartKind.Group:
                _group.Clear();
                _group.Write(part.Name);
                CommandText.Begin(output, "XGROUP"u8, 7);
                CommandText.Argument(output, "CREATE"u8);
                CommandText.Argument(output, record.Key);
                CommandText.Argument(output, part.Name);
                Id(output, part.Id);
                CommandText.Argument(output, "ENTRIESREAD"u8);
                CommandText.Argument(output, part.EntriesRead);
                break;
            case StreamPartKind.Consumer when part.PendingCount > 0:
                _consumer.Clear();
                _consumer.Write(part.Name);
                break;
            case StreamPartKind.Consumer:
                CommandText.Begin(output, "XGROUP"u8, 5);
                CommandText.Argument(output, "CREATECONSUMER"u8);
                CommandText.Argument(output, record.Key);
                CommandText.Argument(output, _group.Written);
                CommandText.Argument(output, part.Name);
                break;
            default:
                CommandText.Begin(output, "XCLAIM"u8, 12);
                CommandText.Argument(output, record.Key);
                CommandText.Argument(output, _group.Written);
                CommandText.Argument(output, _consumer.Written);
                CommandText.Argument(output, 0);
                Id(output, part.Id);
                CommandText.Argument(output, "TIME"u8);
                CommandText.Argument(output, part.DeliveredMs);
                CommandText.Argument(output, "RETRYCOUNT"u8);
                CommandText.Argument(output, part.Deliveries);
                CommandText.Argument(output, "JUSTID"u8);
                CommandText.Argument(output, "FORCE"u8);
                break;
        }
    }
}
