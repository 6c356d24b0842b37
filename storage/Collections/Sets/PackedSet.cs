using Strata.Storage.Strings;

namespace Strata.Storage.Collections.Sets;

/// <summary>
/// A packed set: the count, a tag, then the members. The tag is the width of integers (<see cref="PackedIntegers"/>),
/// or 0 for members as entries (<see cref="PackedForm"/>) in the order they came.
/// </summary>
internal static class PackedSet
{
    /// <summary>Bytes in front of the first member.</summary>
    public const int HeaderBytes = PackedForm.HeaderBytes + 1;

    /// <summary>The tag of a set whose members are entries.</summary>
    public const int Entries = 0;

    /// <summary>The bytes of each integer; 0 (<see cref="Entries"/>) when members are entries.</summary>
    public static int WidthOf(ReadOnlySpan<byte> packed) => packed[PackedForm.HeaderBytes];

    /// <summary>Sets the tag.</summary>
    public static void SetWidth(Span<byte> packed, int width) => packed[PackedForm.HeaderBytes] = (byte)width;

    /// <summary>Writes a header.</summary>
    public static void WriteHeader(Span<byte> packed, int count, int width)
    {
        PackedForm.SetCount(packed, count);
        SetWidth(packed, width);
    }

    /// <summary>Whether a member is in the set.</summary>
    public static bool Contains(ReadOnlySpan<byte> packed, ReadOnlySpan<byte> member)
        => WidthOf(packed) == Entries
            ? Find(packed, member) >= 0
            : CanonicalInteger.TryParse(member, out var value) && PackedIntegers.Find(packed, value, out _);

    /// <summary>Where the entry of a member begins; -1 when there is none. The members must be entries.</summary>
    public static int Find(ReadOnlySpan<byte> packed, ReadOnlySpan<byte> member)
    {
        for (var offset = HeaderBytes; offset < packed.Length;)
        {
            var start = offset;
            if (PackedForm.Read(packed, ref offset).SequenceEqual(member))
            {
                return start;
            }
        }

        return -1;
    }

    /// <summary>The member at a position, as entries stand. The members must be entries.</summary>
    public static ReadOnlySpan<byte> EntryAt(ReadOnlySpan<byte> packed, int position)
    {
        var offset = HeaderBytes;
        for (; position > 0; position--)
        {
            PackedForm.Skip(packed, ref offset);
        }

        return PackedForm.Read(packed, ref offset);
    }
}
