using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Rdb;

/// <summary>
/// Writes values of any type and form (packed, frozen, large) in RDB, one after the other, each in as many steps as the
/// caller wants: between two of them it may take away what was written, and give the lease back, as long as the key is
/// not changed. A single element of a collection is not divided. Used under the lease of the key's shard.
/// </summary>
internal sealed class RdbValueWriter : IDisposable
{
    private readonly StringWriter _strings = new();
    private readonly ListWriter _lists;
    private readonly SetWriter _sets;
    private readonly SortedSetWriter _sortedSets;
    private readonly HashWriter _hashes;
    private readonly StreamValueWriter _streams;
    private readonly RdbOutput _blob;
    private ValueWriter _current;

    /// <summary>A writer that has nothing to write yet.</summary>
    /// <param name="budget">What is charged.</param>
    public RdbValueWriter(MemoryBudget budget)
    {
        var walk = new CollectionWalk();
        _blob = new RdbOutput(budget);
        _lists = new ListWriter(walk, _blob);
        _sets = new SetWriter(walk);
        _sortedSets = new SortedSetWriter(walk, _blob);
        _hashes = new HashWriter(walk, _blob);
        _streams = new StreamValueWriter(_blob);
        _current = _strings;
    }

    /// <summary>The first version of the format that has what a value needs.</summary>
    public static int VersionOf(in Record record) => record.Type switch
    {
        RecordType.Hash when HashReader.FirstExpiryMsOf(record) != long.MaxValue => RdbFormat.VersionOfFieldTimes,
        RecordType.Stream when new StreamView(record).HasUnevenConsumers => RdbFormat.VersionOfActiveTimes,
        _ => RdbFormat.OrdinaryVersion,
    };

    /// <summary>Begins with a value alone, as in a payload of DUMP.</summary>
    /// <param name="record">The value's record.</param>
    /// <param name="output">Where it is written, behind what is there.</param>
    /// <param name="compresses">Whether strings may be packed.</param>
    /// <exception cref="MemoryExhaustedException">The writer may be used for another value.</exception>
    public void Begin(in Record record, RdbOutput output, bool compresses)
        => output.WriteByte(Choose(record, compresses));

    /// <summary>Begins with a key and its value, as in a file.</summary>
    /// <param name="record">The key's record.</param>
    /// <param name="output">Where it is written, behind what is there.</param>
    /// <param name="compresses">Whether strings may be packed.</param>
    /// <param name="info">What else is told of the key.</param>
    /// <exception cref="MemoryExhaustedException">The writer may be used for another value.</exception>
    public void BeginEntry(in Record record, RdbOutput output, bool compresses, in RdbEntryInfo info)
    {
        if (record.HasExpiry)
        {
            output.WriteByte(RdbFormat.ExpiryMs);
            output.WriteInt64(record.ExpiryMs);
        }

        if (info.IdleSeconds >= 0)
        {
            output.WriteByte(RdbFormat.Idle);
            output.WriteLength(info.IdleSeconds);
        }

        if (info.Frequency >= 0)
        {
            output.WriteByte(RdbFormat.Frequency);
            output.WriteByte((byte)info.Frequency);
        }

        output.WriteByte(Choose(record, compresses));
        output.WriteString(record.Key, compresses);
    }

    /// <summary>Goes on with the value.</summary>
    /// <param name="record">Its record as it is now.</param>
    /// <param name="output">Where it is written, behind what is there.</param>
    /// <param name="effort">About how many elements; long ones count for several.</param>
    /// <returns>Whether all of it is written.</returns>
    /// <exception cref="MemoryExhaustedException">What was written of the value is of no use.</exception>
    public bool Step(in Record record, RdbOutput output, int effort)
        => _current.Step(record, output, effort);

    /// <summary>Gives memory back that is kept for the next values.</summary>
    public void Free() => _blob.Free();

    /// <inheritdoc/>
    public void Dispose() => _blob.Dispose();

    private byte Choose(in Record record, bool compresses)
    {
        _current = record.Type switch
        {
            RecordType.List => _lists,
            RecordType.Set => _sets,
            RecordType.SortedSet => _sortedSets,
            RecordType.Hash => _hashes,
            RecordType.Stream => _streams,
            _ => _strings,
        };
        return _current.Begin(record, compresses);
    }
}
