using System.Buffers.Binary;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>The 64-bit MurmurHash2 of Austin Appleby (variant A, for 64-bit machines), by which HyperLogLogs place
/// their elements. It is part of their format: other values would count the same element twice.</summary>
internal static class MurmurHash64A
{
    private const ulong Multiplier = 0xc6a4_a793_5bd1_e995;
    private const int Shift = 47;

    public static ulong Hash(ReadOnlySpan<byte> bytes, ulong seed)
    {
        var hash = seed ^ unchecked((ulong)bytes.Length * Multiplier);
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
        {
            var word = BinaryPrimitives.ReadUInt64LittleEndian(bytes) * Multiplier;
            hash = (hash ^ ((word ^ (word >> Shift)) * Multiplier)) * Multiplier;
        }

        if (bytes.Length > 0)
        {
            var word = 0UL;
            for (var i = 0; i < bytes.Length; i++)
            {
                word |= (ulong)bytes[i] << (8 * i);
            }

            hash = (hash ^ word) * Multiplier;
        }

        hash = (hash ^ (hash >> Shift)) * Multiplier;
        return hash ^ (hash >> Shift);
    }
}
