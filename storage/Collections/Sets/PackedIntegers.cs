using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Collections.Sets;

/// <summary>
/// A packed set of integers: behind the header they stand in ascending order, little-endian, each in as many bytes (2,
/// 4 or 8) as the one that needs most. The header's tag is that width.
/// </summary>
internal static unsafe class PackedIntegers
{
    /// <summary>The bytes an integer needs.</summary>
    public static int WidthOf(long value)
        => value == (short)value ? sizeof(short) : value == (int)value ? sizeof(int) : sizeof(long);

    /// <summary>The integer at a position in the order.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long At(ReadOnlySpan<byte> packed, int width, int position)
    {
        var bytes = packed.Slice(PackedSet.HeaderBytes + (position * width), width);
        return width switch
        {
            sizeof(short) => MemoryMarshal.Read<short>(bytes),
            sizeof(int) => MemoryMarshal.Read<int>(bytes),
            _ => MemoryMarshal.Read<long>(bytes),
        };
    }

    /// <summary>Looks for an integer.</summary>
    /// <param name="packed">The set.</param>
    /// <param name="value">The integer.</param>
    /// <param name="position">Where it is, or belongs.</param>
    public static bool Find(ReadOnlySpan<byte> packed, long value, out int position)
    {
        var width = PackedSet.WidthOf(packed);
        var low = 0;
        var high = PackedForm.CountOf(packed);
        while (low < high)
        {
            var middle = (int)(((uint)low + (uint)high) / 2);
            var there = At(packed, width, middle);
            if (there == value)
            {
                position = middle;
                return true;
            }

            if (there < value)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        position = low;
        return false;
    }

    /// <summary>Writes an integer at a position.</summary>
    public static void Set(Span<byte> packed, int width, int position, long value)
    {
        var bytes = packed.Slice(PackedSet.HeaderBytes + (position * width), width);
        new ReadOnlySpan<byte>(&value, width).CopyTo(bytes);
    }

    /// <summary>
    /// Makes every integer wider and leaves room for one that needs that width, and so is less than all or greater.
    /// </summary>
    /// <param name="packed">The set, the integers of the old width at its end, the header still as it was.</param>
    /// <param name="width">The new width.</param>
    /// <param name="first">The position of the first integer: 1 leaves room in front.</param>
    public static void Widen(Span<byte> packed, int width, int first)
    {
        var old = PackedSet.WidthOf(packed);
        var count = PackedForm.CountOf(packed);
        var tail = packed[(packed.Length - (count * old) - PackedSet.HeaderBytes)..];

        // In ascending order no integer is written over before it is read: the room left is for all of the growth.
        for (var i = 0; i < count; i++)
        {
            Set(packed, width, first + i, At(tail, old, i));
        }

        PackedSet.SetWidth(packed, width);
    }
}
