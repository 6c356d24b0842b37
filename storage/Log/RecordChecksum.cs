using System.Numerics;
using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// The checksum of a record on the device: CRC-32C (Castagnoli; RFC 3720, appendix B.4) of all that makes it up, but
/// not of when it was accessed, whether it is dead, and slack. It starts from the record's address and its
/// page's generation, so that a record that was read from the wrong place, or is left over from an earlier use of the
/// place, is found out, too.
/// </summary>
internal static unsafe class RecordChecksum
{
    /// <summary>Computes the checksum of a record.</summary>
    public static uint Compute(in Record record, long generation)
    {
        var seed = Seed(record.Address, generation);
        return Continue(BeginRecord(record, seed), record.KeyPointer, record.KeyLength + (long)record.ValueLength);
    }

    /// <summary>The checksum of a record without its key and value, which are to follow.</summary>
    public static uint Begin(in Record record, long generation)
        => BeginRecord(record, Seed(record.Address, generation));

    /// <summary>The checksum of a record's header and key: what can be told of it without its value.</summary>
    public static uint OfHead(in Record record, long generation)
        => Continue(Begin(record, generation), record.KeyPointer, record.KeyLength);

    /// <summary>Goes on with <paramref name="length"/> bytes.</summary>
    public static uint Continue(uint crc, byte* bytes, long length) => Crc32C.Continue(crc, bytes, length);

    /// <summary>Writes a checksum into a record.</summary>
    public static void Store(in Record record, uint checksum)
        => Unsafe.WriteUnaligned(Place(record), checksum);

    /// <summary>Whether a record is as it was when its checksum was written.</summary>
    public static bool IsRight(in Record record, long generation)
        => IsStored(record, Compute(record, generation));

    /// <summary>Whether this is the checksum that was written into a record.</summary>
    public static bool IsStored(in Record record, uint checksum)
        => (record.Flags & RecordFlags.HasChecksum) != 0
            && Unsafe.ReadUnaligned<uint>(Place(record)) == checksum;

    private static uint Seed(ulong address, long generation)
        => BitOperations.Crc32C(BitOperations.Crc32C(uint.MaxValue, address), (ulong)generation);

    private static uint BeginRecord(in Record record, uint crc)
    {
        crc = BitOperations.Crc32C(crc, record.Header->Shape | ((ulong)record.Database << 32));
        crc = BitOperations.Crc32C(crc, (uint)record.ValueLength | ((ulong)record.KeyLength << 32));
        crc = record.HasExpiry ? BitOperations.Crc32C(crc, (ulong)record.ExpiryMs) : crc;
        return BitOperations.Crc32C(crc, (ulong)record.SizeBytes);
    }

    private static byte* Place(in Record record)
        => (byte*)record.Header + RecordHeader.Bytes + (record.HasExpiry ? RecordHeader.ExpiryBytes : 0);
}
