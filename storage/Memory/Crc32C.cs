using System.Numerics;
using System.Runtime.CompilerServices;

namespace Strata.Storage.Memory;

/// <summary>CRC-32C (Castagnoli; RFC 3720, appendix B.4), by the processor's instruction where it has one. It is begun
/// with <see cref="Begin"/> and ends as its complement.</summary>
public static unsafe class Crc32C
{
    /// <summary>What a checksum is begun with.</summary>
    public const uint Begin = uint.MaxValue;

    /// <summary>Goes on with <paramref name="length"/> bytes.</summary>
    public static uint Continue(uint crc, byte* bytes, long length)
    {
        for (; length >= sizeof(ulong); bytes += sizeof(ulong), length -= sizeof(ulong))
        {
            crc = BitOperations.Crc32C(crc, Unsafe.ReadUnaligned<ulong>(bytes));
        }

        for (; length > 0; bytes++, length--)
        {
            crc = BitOperations.Crc32C(crc, *bytes);
        }

        return crc;
    }

    /// <summary>Goes on with the eight bytes of a number, the lowest first.</summary>
    public static uint Continue(uint crc, ulong number) => BitOperations.Crc32C(crc, number);
}
