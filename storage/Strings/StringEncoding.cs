using Strata.Storage.Log;

namespace Strata.Storage.Strings;

/// <summary>How Redis would store a string.</summary>
internal static class StringEncoding
{
    // Redis puts strings of up to this length into one allocation with their object.
    private const int MaxEmbeddedBytes = 44;

    /// <summary>What OBJECT ENCODING answers.</summary>
    public static ReadOnlySpan<byte> Of(in Record record)
    {
        if ((record.Flags & RecordFlags.Edited) != 0)
        {
            return "raw"u8;
        }

        var isInteger = (record.Flags & RecordFlags.Decimal) == 0 && CanonicalInteger.TryParse(record.Value, out _);
        return isInteger ? "int"u8
            : record.ValueLength <= MaxEmbeddedBytes ? "embstr"u8
            : "raw"u8;
    }
}
