using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>
/// The block of one field of a large hash: field and value as two entries of <see cref="PackedForm"/>, so that a hash
/// is packed by copying its blocks. A field that expires has, in front of them, a byte that no entry begins with, its
/// place among the hash's expiring fields (4 bytes) and its time (8 bytes).
/// </summary>
public readonly unsafe struct HashField : IElementKey, ITimedItem
{
    private const byte ExpiryMark = 255;
    private const int TimeOffset = 1 + sizeof(uint);
    private const int ExpiryBytes = TimeOffset + sizeof(long);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> KeyOf(byte* block)
    {
        block = EntriesOf(block);
        return Read(ref block);
    }

    /// <summary>The value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> ValueOf(byte* block)
    {
        block = EntriesOf(block);
        _ = Read(ref block);
        return Read(ref block);
    }

    /// <summary>Whether the field expires.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Expires(byte* block) => *block == ExpiryMark;

    /// <summary>When a field expires, milliseconds since 1970; -1 when it does not.</summary>
    public static long ExpiryMsOf(byte* block)
        => Expires(block) ? Unsafe.ReadUnaligned<long>(block + TimeOffset) : -1;

    /// <summary>Whether a field's time had come before <paramref name="nowMs"/>: whoever looks does not see it, taken
    /// out or not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsExpired(byte* block, long nowMs)
        => Expires(block) && Unsafe.ReadUnaligned<long>(block + TimeOffset) < nowMs;

    /// <inheritdoc/>
    static long ITimedItem.TimeOf(byte* block) => Unsafe.ReadUnaligned<long>(block + TimeOffset);

    /// <inheritdoc/>
    static uint ITimedItem.PositionOf(byte* block) => Unsafe.ReadUnaligned<uint>(block + 1);

    /// <inheritdoc/>
    static void ITimedItem.SetPosition(byte* block, uint position) => Unsafe.WriteUnaligned(block + 1, position);

    /// <summary>Gives a field that expires another time.</summary>
    internal static void SetExpiryMs(byte* block, long expiryMs) => Unsafe.WriteUnaligned(block + TimeOffset, expiryMs);

    /// <summary>Bytes of a block.</summary>
    /// <exception cref="MemoryExhaustedException">It would be too long.</exception>
    internal static int SizeFor(int fieldLength, int valueLength, bool expires)
    {
        var bytes = (long)PackedForm.SizeOf(fieldLength) + PackedForm.SizeOf(valueLength)
            + (expires ? ExpiryBytes : 0);
        return bytes <= Limits.MaxValueBytes
            ? (int)bytes
            : throw new MemoryExhaustedException("a field and its value cannot be longer than 1 GB together");
    }

    /// <summary>Bytes of an existing block.</summary>
    internal static int SizeOf(byte* block) => (int)(EntriesOf(block) - block) + EntriesSpan(block).Length;

    /// <summary>Field and value, packed.</summary>
    internal static ReadOnlySpan<byte> EntriesSpan(byte* block)
    {
        var start = EntriesOf(block);
        var end = start;
        _ = Read(ref end);
        _ = Read(ref end);
        return new ReadOnlySpan<byte>(start, (int)(end - start));
    }

    /// <summary>Writes a block.</summary>
    /// <param name="block">Where.</param>
    /// <param name="size">Bytes, as <see cref="SizeFor"/> says.</param>
    /// <param name="field">The field.</param>
    /// <param name="value">The value.</param>
    /// <param name="expiryMs">When it expires; -1 for never. The position is left alone.</param>
    internal static void Write(
        byte* block, int size, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiryMs)
    {
        var bytes = new Span<byte>(block, size);
        if (expiryMs >= 0)
        {
            block[0] = ExpiryMark;
            SetExpiryMs(block, expiryMs);
            bytes = bytes[ExpiryBytes..];
        }

        var fieldBytes = PackedForm.Write(bytes, field);
        _ = PackedForm.Write(bytes[fieldBytes..], value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* EntriesOf(byte* block) => *block == ExpiryMark ? block + ExpiryBytes : block;

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
