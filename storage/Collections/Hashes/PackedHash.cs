namespace Strata.Storage.Collections.Hashes;

/// <summary>A packed hash: fields and values in turn.</summary>
internal static class PackedHash
{
    /// <summary>Looks for a field, from the first on.</summary>
    /// <param name="packed">The hash.</param>
    /// <param name="field">The field.</param>
    /// <param name="fieldOffset">Where its entry begins.</param>
    /// <param name="valueOffset">Where its value's entry begins.</param>
    public static bool TryFind(
        ReadOnlySpan<byte> packed, ReadOnlySpan<byte> field, out int fieldOffset, out int valueOffset)
    {
        fieldOffset = PackedForm.HeaderBytes;
        for (var left = PackedForm.CountOf(packed); left > 0; left--)
        {
            valueOffset = fieldOffset;
            if (PackedForm.Read(packed, ref valueOffset).SequenceEqual(field))
            {
                return true;
            }

            fieldOffset = valueOffset;
            PackedForm.Skip(packed, ref fieldOffset);
        }

        valueOffset = fieldOffset;
        return false;
    }
}
