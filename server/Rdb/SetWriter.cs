using System.Buffers.Binary;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Rdb;

/// <summary>Sets: of integers, as an intset as long as it is small; others as their members one by one, which every
/// version of Redis reads. (Listpacks of sets are of a version that Redis 7.0 does not know.)</summary>
internal sealed class SetWriter(CollectionWalk walk) : ValueWriter
{
    private const int IntsetHeaderBytes = 2 * sizeof(int);

    private bool _compresses;
    private bool _isIntset;
    private bool _hasBegun;

    /// <inheritdoc/>
    public override byte Begin(in Record record, bool compresses)
    {
        _compresses = compresses;
        _hasBegun = false;
        _isIntset = new SetReader(record).IsIntegers && record.ValueLength <= ServerLimits.MaxBlobBytes;
        walk.Begin(record);
        return _isIntset ? RdbType.Intset : RdbType.Set;
    }

    /// <inheritdoc/>
    public override bool Step(in Record record, RdbOutput output, int effort)
    {
        if (_isIntset)
        {
            WriteIntset(record, output);
            return true;
        }

        if (!_hasBegun)
        {
            _hasBegun = true;
            output.WriteLength(ShardCollections.CountOf(record));
        }

        while (effort > 0)
        {
            if (!walk.TryNext(record, out var member))
            {
                return true;
            }

            output.WriteString(member.Name, _compresses);
            effort -= EffortFor(member.Name.Length);
        }

        return false;
    }

    private void WriteIntset(in Record record, RdbOutput output)
    {
        var set = new SetReader(record);
        var width = set.IntegerBytes;
        using var blob = new NativeSpan(IntsetHeaderBytes + ((int)set.Count * width));
        var bytes = blob.Span;
        BinaryPrimitives.WriteInt32LittleEndian(bytes, width);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[sizeof(int)..], (int)set.Count);
        Span<byte> number = stackalloc byte[sizeof(long)];
        for (bytes = bytes[IntsetHeaderBytes..]; walk.TryNext(record, out var member); bytes = bytes[width..])
        {
            BinaryPrimitives.WriteInt64LittleEndian(number, member.Integer);
            number[..width].CopyTo(bytes);
        }

        output.WriteString(blob.Span, _compresses);
    }
}
