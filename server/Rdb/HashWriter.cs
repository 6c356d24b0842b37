using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Log;

namespace Strata.Server.Rdb;

/// <summary>
/// Hashes: small ones as a listpack of fields and values, others as fields and values one by one. Where fields expire,
/// in the forms of Redis 7.4, which has the time of the first of them in front: a listpack of fields, values and times,
/// those that expire first in the order of their times; or one by one, each with its time counted from the first one's.
/// </summary>
internal sealed class HashWriter(CollectionWalk walk, RdbOutput blob) : ValueWriter
{
    private readonly List<TimedField> _fields = [];
    private bool _compresses;
    private bool _isPacked;
    private bool _hasBegun;
    private long _firstMs;

    /// <inheritdoc/>
    public override byte Begin(in Record record, bool compresses)
    {
        _compresses = compresses;
        _hasBegun = false;
        _firstMs = HashReader.FirstExpiryMsOf(record);
        _isPacked = !TypeInfo.Of(RecordType.Hash).EncodingOf(record).SequenceEqual("hashtable"u8)
            && ShardCollections.WeightOf(record) <= ServerLimits.MaxBlobBytes;
        walk.Begin(record);
        return (_isPacked, HasTimes) switch
        {
            (true, false) => RdbType.HashListpack,
            (true, true) => RdbType.HashListpackWithTimes,
            (false, false) => RdbType.Hash,
            _ => RdbType.HashWithTimes,
        };
    }

    /// <inheritdoc/>
    public override bool Step(in Record record, RdbOutput output, int effort)
    {
        if (!_hasBegun)
        {
            _hasBegun = true;
            if (HasTimes)
            {
                output.WriteInt64(_firstMs);
            }

            if (_isPacked)
            {
                WritePacked(record, output);
                return true;
            }

            output.WriteLength(ShardCollections.CountOf(record));
        }

        while (effort > 0)
        {
            if (!walk.TryNext(record, out var field))
            {
                return true;
            }

            if (HasTimes)
            {
                output.WriteLength(field.ExpiryMs < 0 ? 0 : field.ExpiryMs - _firstMs + 1);
            }

            output.WriteString(field.Name, _compresses);
            output.WriteString(field.Value, _compresses);
            effort -= EffortFor(field.Name.Length + field.Value.Length);
        }

        return false;
    }

    private bool HasTimes => _firstMs != long.MaxValue;

    private void WritePacked(in Record record, RdbOutput output)
    {
        ListpackWriter.Begin(blob);
        var entries = HasTimes ? AddTimed(record) : AddPlain(record);
        ListpackWriter.Finish(blob, entries);
        output.WriteString(blob.Written, _compresses);
    }

    private long AddPlain(in Record record)
    {
        var fields = 0L;
        for (; walk.TryNext(record, out var field); fields++)
        {
            ListpackWriter.Add(blob, field.Name);
            ListpackWriter.Add(blob, field.Value);
        }

        return 2 * fields;
    }

    private unsafe long AddTimed(in Record record)
    {
        _fields.Clear();
        while (walk.TryNext(record, out var field))
        {
            fixed (byte* name = field.Name, value = field.Value)
            {
                // They lie in native memory, which stays where it is.
                _fields.Add(new(field.ExpiryMs, (nint)name, field.Name.Length, (nint)value, field.Value.Length));
            }
        }

        _fields.Sort(static (a, b) => ((ulong)a.ExpiryMs).CompareTo((ulong)b.ExpiryMs)); // Those without come last.
        foreach (var field in _fields)
        {
            ListpackWriter.Add(blob, new ReadOnlySpan<byte>((byte*)field.Name, field.NameLength));
            ListpackWriter.Add(blob, new ReadOnlySpan<byte>((byte*)field.Value, field.ValueLength));
            ListpackWriter.Add(blob, Math.Max(field.ExpiryMs, 0));
        }

        return 3 * _fields.Count;
    }

    private readonly record struct TimedField(long ExpiryMs, nint Name, int NameLength, nint Value, int ValueLength);
}
