using Strata.Storage.Log;

namespace Strata.Server.Rdb;

/// <summary>Strings: as integers or packed where that is shorter; long ones as they are, piece by piece.</summary>
internal sealed class StringWriter : ValueWriter
{
    private const int BytesPerUnit = 512; // They are only copied.

    private bool _compresses;
    private int _written;

    /// <inheritdoc/>
    public override byte Begin(in Record record, bool compresses)
    {
        _compresses = compresses;
        _written = 0;
        return RdbType.String;
    }

    /// <inheritdoc/>
    public override bool Step(in Record record, RdbOutput output, int effort)
    {
        var value = record.Value;
        if (value.Length <= ServerLimits.MaxPackedStringBytes)
        {
            output.WriteString(value, _compresses);
            return true;
        }

        if (_written == 0)
        {
            output.WriteLength(value.Length);
        }

        var piece = (int)Math.Min(value.Length - _written, Math.Max(effort, 1) * (long)BytesPerUnit);
        output.Write(value.Slice(_written, piece));
        _written += piece;
        return _written == value.Length;
    }
}
