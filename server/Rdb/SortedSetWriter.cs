using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Rdb;

/// <summary>Sorted sets: packed ones as a listpack of members and scores, from the lowest; others as members and scores
/// in binary, from the highest, as Redis does, which then puts each before all it has by now.</summary>
internal sealed class SortedSetWriter(CollectionWalk walk, RdbOutput blob) : ValueWriter
{
    private bool _compresses;
    private bool _isPacked;
    private bool _hasBegun;

    /// <inheritdoc/>
    public override byte Begin(in Record record, bool compresses)
    {
        _compresses = compresses;
        _hasBegun = false;
        _isPacked = !record.IsLarge && !record.IsFrozen && record.ValueLength <= ServerLimits.MaxBlobBytes;
        walk.Begin(record);
        return _isPacked ? RdbType.SortedSetListpack : RdbType.SortedSet;
    }

    /// <inheritdoc/>
    public override bool Step(in Record record, RdbOutput output, int effort)
    {
        if (_isPacked)
        {
            WritePacked(record, output);
            return true;
        }

        if (!_hasBegun)
        {
            _hasBegun = true;
            output.WriteLength(ShardCollections.CountOf(record));
        }

        while (effort > 0)
        {
            if (!walk.TryNext(record, out var element))
            {
                return true;
            }

            output.WriteString(element.Name, _compresses);
            output.WriteDouble(element.Score);
            effort -= EffortFor(element.Name.Length);
        }

        return false;
    }

    private void WritePacked(in Record record, RdbOutput output)
    {
        Span<byte> text = stackalloc byte[DoubleFormat.MaxBytes];
        ListpackWriter.Begin(blob);
        while (walk.TryNext(record, out var element))
        {
            ListpackWriter.Add(blob, element.Name);
            ListpackWriter.Add(blob, text[..DoubleFormat.Format(element.Score, text)]);
        }

        ListpackWriter.Finish(blob, 2 * ShardCollections.CountOf(record));
        output.WriteString(blob.Written, _compresses);
    }
}
