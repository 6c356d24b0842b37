using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Lists;

/// <summary>An element of a large list, or the end of its block (<see cref="ListBlock"/>).</summary>
internal unsafe struct ListPosition
{
    public ListBlock* Block;

    /// <summary>Where the element's bytes begin.</summary>
    public byte* Entry;

    /// <summary>The element's length, or <see cref="PackedForm.LongLength"/>: then it is on both sides of its bytes.
    /// </summary>
    public byte* Slot;

    /// <summary>Bytes of an element of <paramref name="length"/> bytes, without the slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int BytesFor(int length)
        => length < PackedForm.LongLength ? length : length + (2 * sizeof(int));

    /// <summary>The element.</summary>
    public readonly ReadOnlySpan<byte> Element
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => IsLong
            ? new ReadOnlySpan<byte>(Entry + sizeof(int), Unsafe.ReadUnaligned<int>(Entry))
            : new ReadOnlySpan<byte>(Entry, *Slot);
    }

    /// <summary>Bytes of the element, without the slot.</summary>
    public readonly int Bytes
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => IsLong ? BytesFor(Unsafe.ReadUnaligned<int>(Entry)) : *Slot;
    }

    private readonly bool IsLong => *Slot == PackedForm.LongLength;

    /// <summary>Writes an element where there is room for it.</summary>
    public readonly void Write(ReadOnlySpan<byte> element)
    {
        var length = element.Length;
        if (length < PackedForm.LongLength)
        {
            *Slot = (byte)length;
            element.CopyTo(new Span<byte>(Entry, length));
            return;
        }

        *Slot = PackedForm.LongLength;
        Unsafe.WriteUnaligned(Entry, length);
        element.CopyTo(new Span<byte>(Entry + sizeof(int), length));
        Unsafe.WriteUnaligned(Entry + sizeof(int) + length, length);
    }

    /// <summary>Goes to the next element of the block, or to its end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void MoveNext()
    {
        Entry += Bytes;
        Slot--;
    }

    /// <summary>Goes to the element before in the block, which there must be.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void MovePrevious()
    {
        Slot++;
        Entry -= IsLong ? BytesFor(Unsafe.ReadUnaligned<int>(Entry - sizeof(int))) : *Slot;
    }
}
