using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Log;

/// <summary>
/// The first 15 bytes of a record:
/// <code>
/// 0  uint   size of the whole record in 8-byte units, slack included
/// 4  uint   length of the value, bytes (30 bits); bit 30: in a copy, the value is not there; top bit: nothing points
///           to the record any more
/// 8  ushort length of the key, bytes; 65,535 when four more bytes give it
/// 10 byte   database
/// 11 byte   low three bits: type; the others: flags
/// 12 3 bytes seconds of the last access (AccessClock), the low two bytes first
/// </code>
/// then, each only if its flag is set, expiry (8 bytes), checksum (4 bytes) and long key length (4 bytes); then key,
/// value, slack.
/// Records are aligned to 8 bytes.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
public struct RecordHeader
{
    public const int Bytes = 15;
    public const int ExpiryBytes = 8;
    public const int ChecksumBytes = 4;
    public const int LongKeyBytes = 4;
    public const int Alignment = 8;
    public const int MaxValueLength = (1 << 30) - 1;
    public const uint DeadBit = 1U << 31;
    public const uint WithoutValueBit = 1U << 30;
    public const int LongKeyLength = ushort.MaxValue;

    /// <summary>In place of a value's length: no record but space that is left free.</summary>
    public const uint Filler = uint.MaxValue;

    /// <summary>Numbers that a record's type may have.</summary>
    public const int TypeCount = 1 << TypeBits;

    private const int TypeBits = 3;

    public uint SizeUnits;
    public uint ValueLength;
    public ushort ShortKeyLength;
    public byte Database;
    private byte _typeAndFlags;
    private ushort _accessedLow;
    private byte _accessedHigh;

    /// <summary>Both in their byte.</summary>
    public readonly byte TypeAndFlags => _typeAndFlags;

    public readonly RecordType Type => (RecordType)(_typeAndFlags & (TypeCount - 1));

    public readonly RecordFlags Flags => (RecordFlags)(_typeAndFlags >> TypeBits);

    /// <summary>When the record was last accessed, as <see cref="AccessClock"/> counts.</summary>
    public readonly int Accessed => _accessedLow | (_accessedHigh << 16);

    public readonly long SizeBytes => (long)SizeUnits * Alignment;

    public void SetTypeAndFlags(RecordType type, RecordFlags flags)
        => _typeAndFlags = (byte)((byte)type | ((byte)flags << TypeBits));

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
        const int LongKeyFactor = LongKeyBytes / (int)RecordFlags.LongKey;
        const int ChecksumFactor = ChecksumBytes / (int)RecordFlags.HasChecksum;
        return (((int)(flags & RecordFlags.HasExpiry)) * ExpiryFactor)
            + (((int)(flags & RecordFlags.LongKey)) * LongKeyFactor)
            + (((int)(flags & RecordFlags.HasChecksum)) * ChecksumFactor);
    }

    /// <summary>Bytes a record takes without slack.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long SizeFor(RecordFlags flags, int keyLength, long valueLength)
        => (Bytes + OptionalBytes(flags) + keyLength + valueLength + Alignment - 1) & ~(long)(Alignment - 1);
}
