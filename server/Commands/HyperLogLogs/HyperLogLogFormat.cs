using System.Buffers.Binary;
using System.Numerics;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>
/// What a string is that PFADD makes, byte for byte as Redis has it: <c>HYLL</c>, the encoding, three bytes of zeros,
/// the cardinality as it was counted last (little-endian, 64 bits, of which the highest says that it holds no more),
/// then the registers, dense (<see cref="DenseRegisters"/>) or sparse (<see cref="SparseRegisters"/>).
/// </summary>
internal static class HyperLogLogFormat
{
    /// <summary>Bits of an element's hash that choose its register.</summary>
    public const int IndexBits = 14;

    public const int Registers = 1 << IndexBits;

    /// <summary>The bits that are left, of which the zeros at the end are counted.</summary>
    public const int RankBits = 64 - IndexBits;

    /// <summary>The highest rank of an element.</summary>
    public const int MaxRank = RankBits + 1;

    public const int HeaderBytes = 16;

    /// <summary>Bytes of a string with dense registers.</summary>
    public const int DenseBytes = HeaderBytes + DenseRegisters.Bytes;

    /// <summary>The most bytes of a string with sparse registers: one of more has codes that stand for none.</summary>
    public const int MaxSparseBytes = HeaderBytes + (Registers * SparseCode.MaxBytes);

    public const byte Dense = 0;
    public const byte Sparse = 1;

    private const int EncodingAt = 4;
    private const int CardinalityAt = 8;
    private const ulong Seed = 0xadc8_3b19;
    private const ulong OutdatedBit = 1UL << 63;

    private static ReadOnlySpan<byte> Magic => "HYLL"u8;

    /// <summary>Whether a string may be a HyperLogLog, as far as its header and its length tell.</summary>
    public static bool IsOne(ReadOnlySpan<byte> value)
        => value.Length >= HeaderBytes && value.StartsWith(Magic)
            && (value[EncodingAt] == Sparse || (value[EncodingAt] == Dense && value.Length == DenseBytes));

    /// <summary>Whether a HyperLogLog's registers are dense.</summary>
    public static bool IsDense(ReadOnlySpan<byte> value) => value[EncodingAt] == Dense;

    /// <summary>A HyperLogLog's registers.</summary>
    public static ReadOnlySpan<byte> RegistersOf(ReadOnlySpan<byte> value) => value[HeaderBytes..];

    /// <inheritdoc cref="RegistersOf(ReadOnlySpan{byte})"/>
    public static Span<byte> RegistersOf(Span<byte> value) => value[HeaderBytes..];

    /// <summary>Writes the header of an empty one, whose cardinality is counted.</summary>
    public static void WriteHeader(Span<byte> value, byte encoding)
    {
        value[..HeaderBytes].Clear();
        Magic.CopyTo(value);
        value[EncodingAt] = encoding;
    }

    /// <summary>Says how the registers are kept from now on.</summary>
    public static void SetEncoding(Span<byte> value, byte encoding) => value[EncodingAt] = encoding;

    /// <summary>The cardinality that was counted last.</summary>
    /// <returns>Whether it still holds.</returns>
    public static bool TryGetCardinality(ReadOnlySpan<byte> value, out ulong cardinality)
    {
        cardinality = BinaryPrimitives.ReadUInt64LittleEndian(value[CardinalityAt..]);
        return (cardinality & OutdatedBit) == 0;
    }

    /// <summary>Keeps the cardinality.</summary>
    public static void SetCardinality(Span<byte> value, ulong cardinality)
        => BinaryPrimitives.WriteUInt64LittleEndian(value[CardinalityAt..], cardinality);

    /// <summary>Says that the cardinality does not hold any more. Its other bits stay, as in Redis.</summary>
    public static void ForgetCardinality(Span<byte> value) => value[HeaderBytes - 1] |= 0x80;

    /// <summary>Where an element belongs, and how rare its hash is: the number of zeros that its other bits end with,
    /// and one.</summary>
    public static (int Register, int Rank) Place(ReadOnlySpan<byte> element)
    {
        var hash = MurmurHash64A.Hash(element, Seed);
        var rest = (hash >> IndexBits) | (1UL << RankBits);
        return ((int)(hash & (Registers - 1)), BitOperations.TrailingZeroCount(rest) + 1);
    }
}
