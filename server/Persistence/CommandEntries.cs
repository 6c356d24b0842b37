using Strata.Server.Rdb;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>
/// Writes keys as the commands that make them, those that Redis rewrites its append-only file with: SET; RPUSH, SADD,
/// ZADD and HSET of up to 64 elements; HPEXPIREAT of each field that expires; those of streams (<see
/// cref="StreamCommands"/>); and PEXPIREAT. Elements are gathered
/// until a command is full, as their number stands in front of them.
/// </summary>
internal sealed class CommandEntries : IEntryWriter
{
    private const int ElementsPerCommand = 64;

    // With long elements a command has fewer of them.
    private const int BytesPerCommand = 64 << 10;

    // Bytes that are written in about the time an element takes by itself.
    private const int BytesPerUnit = 128;

    // Those of a string are only copied.
    private const int CopiedBytesPerUnit = 512;

    private readonly CollectionWalk _walk = new();
    private readonly StreamCommands _streams;
    private readonly RdbOutput _elements;
    private readonly RdbOutput _times;
    private int _count;
    private int _written;

    /// <summary>A writer that has nothing to write yet.</summary>
    public CommandEntries(MemoryBudget budget)
    {
        _streams = new StreamCommands(budget);
        _elements = new RdbOutput(budget);
        _times = new RdbOutput(budget);
    }

    /// <inheritdoc/>
    public bool StandsByItself { get; private set; } = true;

    /// <inheritdoc/>
    public void Begin(in Record record, RdbOutput output)
    {
        _elements.Clear();
        _times.Clear();
        _count = 0;
        _written = 0;
        StandsByItself = true;
        if (record.Type == RecordType.Stream)
        {
            _streams.Begin(record);
        }
        else if (record.Type != RecordType.String)
        {
            _walk.Begin(record);
        }
    }

    /// <inheritdoc/>
    public bool Step(in Record record, RdbOutput output, int effort)
    {
        var isWhole = record.Type switch
        {
            RecordType.String => StepString(record, output, effort),
            RecordType.Stream => _streams.Step(record, output, effort),
            _ => StepCollection(record, output, effort),
        };
        if (isWhole && record.HasExpiry)
        {
            CommandText.Begin(output, "PEXPIREAT"u8, 3);
            CommandText.Argument(output, record.Key);
            CommandText.Argument(output, record.ExpiryMs);
        }

        return isWhole;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _streams.Dispose();
        _elements.Dispose();
        _times.Dispose();
    }

    private static ReadOnlySpan<byte> VerbOf(RecordType type) => type switch
    {
        RecordType.List => "RPUSH"u8,
        RecordType.Set => "SADD"u8,
        RecordType.SortedSet => "ZADD"u8,
        _ => "HSET"u8,
    };

    private bool StepString(in Record record, RdbOutput output, int effort)
    {
        var value = record.Value;
        if (_written == 0)
        {
            CommandText.Begin(output, "SET"u8, 3);
            CommandText.Argument(output, record.Key);
            CommandText.BeginArgument(output, value.Length);
        }

        var piece = (int)Math.Min(value.Length - _written, Math.Max(effort, 1) * (long)CopiedBytesPerUnit);
        output.Write(value.Slice(_written, piece));
        _written += piece;
        StandsByItself = _written == value.Length;
        if (StandsByItself)
        {
            CommandText.EndArgument(output);
        }

        return StandsByItself;
    }

    private bool StepCollection(in Record record, RdbOutput output, int effort)
    {
        while (effort > 0)
        {
            if (!_walk.TryNext(record, out var element))
            {
                EndCommand(record, output);
                return true;
            }

            Add(record, element);
            effort -= 1 + ((element.Name.Length + element.Value.Length) / BytesPerUnit);
            if (_count == ElementsPerCommand || _elements.Length >= BytesPerCommand)
            {
                EndCommand(record, output);
            }
        }

        return false;
    }

    private void Add(in Record record, in WalkedElement element)
    {
        _count++;
        switch (record.Type)
        {
            case RecordType.SortedSet:
                Span<byte> score = stackalloc byte[DoubleFormat.MaxBytes];
                CommandText.Argument(_elements, score[..DoubleFormat.Format(element.Score, score)]);
                CommandText.Argument(_elements, element.Name);
                break;
            case RecordType.Hash:
                CommandText.Argument(_elements, element.Name);
                CommandText.Argument(_elements, element.Value);
                AddTime(record, element);
                break;
            default:
                CommandText.Argument(_elements, element.Name);
                break;
        }
    }

    private void AddTime(in Record record, in WalkedElement field)
    {
        if (field.ExpiryMs >= 0)
        {
            CommandText.Begin(_times, "HPEXPIREAT"u8, 6);
            CommandText.Argument(_times, record.Key);
            CommandText.Argument(_times, field.ExpiryMs);
            CommandText.Argument(_times, "FIELDS"u8);
            CommandText.Argument(_times, 1);
            CommandText.Argument(_times, field.Name);
        }
    }

    private void EndCommand(in Record record, RdbOutput output)
    {
        if (_count == 0)
        {
            return;
        }

        var perElement = record.Type is RecordType.SortedSet or RecordType.Hash ? 2 : 1;
        CommandText.Begin(output, VerbOf(record.Type), 2 + (_count * perElement));
        CommandText.Argument(output, record.Key);
        output.Write(_elements.Written);
        output.Write(_times.Written);
        _elements.Clear();
        _times.Clear();
        _count = 0;
    }
}
