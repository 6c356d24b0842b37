using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>
/// The block of one field of a large hash: field and value as two entries of <see cref="PackedForm"/>, so that a hash
/// is packed by copying its blocks.
/// </summary>
public readonly unsafe struct HashField : IElementKey
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> KeyOf(byte* block) => Read(ref block);

    /// <summary>The value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> ValueOf(byte* block)
    {
        _ = Read(ref block);
        return Read(ref block);
    }

    /// <summary>Bytes of a block.</summary>
    /// <exception cref="MemoryExhaustedException">It would be too long.</exception>
    internal static int SizeFor(int fieldLength, int valueLength)
    {
        var bytes = (long)PackedForm.SizeOf(fieldLength) + PackedForm.SizeOf(valueLength);
        return bytes <= Limits.MaxValueBytes
            ? (int)bytes
            : throw new MemoryExhaustedException("a field and its value cannot be longer than 1 GB together");
    }

    /// <summary>Bytes of an existing block.</summary>
    internal static int SizeOf(byte* block)
    {
        var end = block;
        _ = Read(ref end);
        _ = Read(ref end);
        return (int)(end - block);
    }

    /// <summary>Writes field and value.</summary>
    internal static void Write(byte* block, int size, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        var bytes = new Span<byte>(block, size);
        var fieldBytes = PackedForm.Write(bytes, field);
        _ = PackedForm.Write(bytes[fieldBytes..], value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ReadOnlySpan<byte> Read(scoped ref byte* p)
    {
        int length = *p++;
        if (length == PackedForm.LongLength)
        {
            length = Unsafe.ReadUnaligned<int>(p);
            p += sizeof(int);
        }

        var entry = new ReadOnlySpan<byte>(p, length);
        p += length;
        return entry;
    }
}
