using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Log;

/// <summary>
/// The first 7 bytes of a record:
/// <code>
/// 0 uint    bits 0 to 2: type; 3 to 8: flags; 9: nothing points to the record any more; then of a compact record
///           10 to 16: length of the key, bytes; 17 to 25: size of the whole record in 4-byte units, slack included;
///           26 to 31: slack, bytes; and of a wide one
///           10 to 17: database
/// 4 3 bytes seconds of the last access (AccessClock), the low two bytes first
/// </code>
/// then, each only if its flag is set, expiry (8 bytes), checksum (4 bytes), and of a wide record
/// <code>
/// 0 uint length of the value, bytes (30 bits); bit 30: in a copy, the value is not there
/// 4 uint length of the key, bytes
/// 8 uint size of the whole record in 4-byte units, slack included
/// </code>
/// or the database of a compact one (1 byte), where it is not 0; then key, value, slack. A record is compact where its
/// lengths fit. Records are aligned to 4 bytes.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
public struct RecordHeader
{
    public const int Bytes = 7;
    public const int ExpiryBytes = 8;
    public const int ChecksumBytes = 4;
    public const int WideBytes = 12;
    public const int DatabaseBytes = 1;
    public const int AlignmentBits = 2;
    public const int Alignment = 1 << AlignmentBits;
    public const int MaxValueLength = (1 << 30) - 1;

    /// <summary>Bytes of the shortest record.</summary>
    public const int LeastRecordBytes = 8;

    /// <summary>The longest key of a compact record.</summary>
    public const int MaxCompactKeyLength = (1 << KeyLengthBits) - 1;

    /// <summary>The longest compact record.</summary>
    public const int MaxCompactBytes = ((1 << SizeBits) - 1) << AlignmentBits;

    /// <summary>The most bytes that a compact record has behind its value.</summary>
    public const int MaxCompactSlack = (1 << (32 - SlackShift)) - 1;

    /// <summary>Numbers that a record's type may have.</summary>
    public const int TypeCount = 1 << TypeBits;

    private const int TypeBits = 3;
    private const int FlagBits = 6;
    private const int DeadShift = TypeBits + FlagBits;
    private const int KeyLengthShift = DeadShift + 1;
    private const int KeyLengthBits = 7;
    private const int SizeShift = KeyLengthShift + KeyLengthBits;
    private const int SizeBits = 9;
    private const int SlackShift = SizeShift + SizeBits;
    private const uint DeadBit = 1U << DeadShift;

    // No record but space that is left free, of as many units as the bits above say: no record has all these set, nor
    // has one in which few were flipped.
    private const uint Filler = (1U << KeyLengthShift) - 1;

    private uint _shape;
    private ushort _accessedLow;
    private byte _accessedHigh;

    /// <summary>What the record is and, of a compact one, how long its parts are; the same whether dead or not.
    /// </summary>
    public readonly uint Shape => _shape & ~DeadBit;

    public readonly RecordType Type => (RecordType)(_shape & (TypeCount - 1));

    public readonly RecordFlags Flags => (RecordFlags)((_shape >> TypeBits) & ((1 << FlagBits) - 1));

    /// <summary>Whether nothing points to the record any more.</summary>
    public readonly bool IsDead => (_shape & DeadBit) != 0;

    /// <summary>When the record was last accessed, as <see cref="AccessClock"/> counts.</summary>
    public readonly int Accessed => _accessedLow | (_accessedHigh << 16);

    /// <summary>Of a compact record: bytes of the key.</summary>
    public readonly int CompactKeyLength => (int)(_shape >> KeyLengthShift) & MaxCompactKeyLength;

    /// <summary>Of a compact record: bytes of all of it, slack included.</summary>
    public readonly int CompactSizeBytes => (int)(_shape >> (SizeShift - AlignmentBits)) & MaxCompactBytes;

    /// <summary>Of a compact record: bytes behind the value.</summary>
    public readonly int CompactSlack => (int)(_shape >> SlackShift);

    /// <summary>Of a wide record: its database.</summary>
    public readonly byte WideDatabase => (byte)(_shape >> KeyLengthShift);

    /// <summary>Whether this is no record but space left free.</summary>
    public readonly bool IsFiller => (_shape & Filler) == Filler;

    /// <summary>Bytes of space left free.</summary>
    public readonly long FillerBytes => (long)(_shape >> KeyLengthShift) << AlignmentBits;

    /// <summary>Says what a compact record is.</summary>
    public void SetCompact(RecordType type, RecordFlags flags, int keyLength, long sizeBytes, int slack)
        => _shape = (uint)type | ((uint)flags << TypeBits) | ((uint)keyLength << KeyLengthShift)
            | ((uint)sizeBytes << (SizeShift - AlignmentBits)) | ((uint)slack << SlackShift);

    /// <summary>Says what a wide record is.</summary>
    public void SetWide(RecordType type, RecordFlags flags, byte database)
        => _shape = (uint)type | ((uint)flags << TypeBits) | ((uint)database << KeyLengthShift);

    /// <summary>Says that <paramref name="bytes"/> are left free.</summary>
    public void SetFiller(long bytes) => _shape = Filler | ((uint)(bytes >> AlignmentBits) << KeyLengthShift);

    /// <summary>Changes the type, and the flags, of which those that say what follows the header must stay.</summary>
    public void SetTypeAndFlags(RecordType type, RecordFlags flags)
    {
        const uint Mask = (1U << DeadShift) - 1;
        _shape = (_shape & ~Mask) | (uint)type | ((uint)flags << TypeBits);
    }

    /// <summary>Of a compact record: changes what is behind the value.</summary>
    public void SetCompactSlack(int slack)
        => _shape = (_shape & ((1U << SlackShift) - 1)) | ((uint)slack << SlackShift);

    /// <summary>Nothing points to the record any more.</summary>
    public void SetDead() => _shape |= DeadBit;

    /// <summary>Notes an access. Safe without the lease: whatever becomes of the record, these bytes stay its own.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void SetAccessed(int clock)
    {
        _accessedLow = (ushort)clock;
        _accessedHigh = (byte)(clock >> 16);
    }

    /// <summary>Bytes between the header and the key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int OptionalBytes(RecordFlags flags)
    {
        // Without a branch: each flag's bit, moved to where it is worth the bytes it stands for.
        const int ExpiryFactor = ExpiryBytes / (int)RecordFlags.HasExpiry;
        const int WideFactor = WideBytes / (int)RecordFlags.Wide;
        const int ChecksumFactor = ChecksumBytes / (int)RecordFlags.HasChecksum;
        const int DatabaseFactor = (int)RecordFlags.HasDatabase / DatabaseBytes;
        return (((int)(flags & RecordFlags.HasExpiry)) * ExpiryFactor)
            + (((int)(flags & RecordFlags.Wide)) * WideFactor)
            + (((int)(flags & RecordFlags.HasChecksum)) * ChecksumFactor)
            + (((int)(flags & RecordFlags.HasDatabase)) / DatabaseFactor);
    }

    /// <summary>Bytes a record takes without slack.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long SizeFor(RecordFlags flags, int keyLength, long valueLength)
        => (Bytes + OptionalBytes(flags) + keyLength + valueLength + Alignment - 1) & ~(long)(Alignment - 1);
}
