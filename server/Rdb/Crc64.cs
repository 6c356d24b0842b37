using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Strata.Server.Rdb;

/// <summary>The checksum of Redis's RDB format: CRC-64 with the polynomial of Jones, reflected, beginning at zero (an
/// XOR neither before nor after), eight bytes at a time (Kounavis and Berry, "A Systematic Approach to Building High
/// Performance Software-Based CRC Generators", 2005), and many bytes 64 at a time where the processor multiplies
/// without carry (Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", 2009). Of
/// "123456789" it is 0xe9c6d914c4b8d9ca.</summary>
internal struct Crc64
{
    private const ulong Polynomial = 0x95ac9329ac4bc9b5; // 0xad93d23594c935a9, its bits reversed.
    private const int Slices = 8;

    // Four lanes of 16 bytes.
    private const int FoldedBytes = 64;
    private const int LaneBytes = 16;

    private static readonly ulong[] s_tables = MakeTables();
    private static readonly Vector128<ulong> s_foldBy64 = FoldBy(FoldedBytes);
    private static readonly Vector128<ulong> s_foldBy16 = FoldBy(LaneBytes);

    /// <summary>The checksum of the bytes so far.</summary>
    public ulong Value { get; private set; }

    /// <summary>The checksum of these bytes.</summary>
    public static ulong Of(ReadOnlySpan<byte> bytes)
    {
        var crc = default(Crc64);
        crc.Add(bytes);
        return crc.Value;
    }

    /// <summary>More bytes.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        var folded = 0;
        if (Pclmulqdq.IsSupported && bytes.Length >= 2 * FoldedBytes)
        {
            folded = bytes.Length & -FoldedBytes;
            AddFolded(bytes[..folded]);
        }

        Value = AddByTables(Value, bytes[folded..]);
    }

    /// <summary>As many more bytes of zero, in a time that their number's logarithm decides: what one does to the value
    /// is a linear map, of which squares are taken.</summary>
    public void AddZeros(long count)
    {
        Span<ulong> map = stackalloc ulong[64];
        Span<ulong> square = stackalloc ulong[64];
        for (var bit = 0; bit < map.Length; bit++)
        {
            var one = 1UL << bit;
            map[bit] = s_tables[(int)(one & 0xFF)] ^ (one >> 8);
        }

        for (; count > 0; count >>= 1)
        {
            if ((count & 1) != 0)
            {
                Value = Apply(map, Value);
            }

            for (var bit = 0; bit < map.Length; bit++)
            {
                square[bit] = Apply(map, map[bit]);
            }

            square.CopyTo(map);
        }
    }

    /// <summary>The bytes are changed.</summary>
    /// <param name="change">The checksum of the difference (by XOR) between what they are and what they were, and of as
    /// many zeros as there are bytes behind it.</param>
    public void Change(Crc64 change) => Value ^= change.Value;

    private static ulong AddByTables(ulong crc, ReadOnlySpan<byte> bytes)
    {
        var tables = s_tables;
        for (; bytes.Length >= Slices; bytes = bytes[Slices..])
        {
            crc ^= BinaryPrimitives.ReadUInt64LittleEndian(bytes);
            var next = 0UL;
            for (var i = 0; i < Slices; i++)
            {
                next ^= tables[((Slices - 1 - i) << 8) + (int)((crc >> (8 * i)) & 0xFF)];
            }

            crc = next;
        }

        foreach (var b in bytes)
        {
            crc = tables[(int)((crc ^ b) & 0xFF)] ^ (crc >> 8);
        }

        return crc;
    }

    /// <summary>What stands for the bytes so far moves over the next ones, until 16 bytes have the checksum of all.
    /// </summary>
    /// <param name="bytes">A multiple of <see cref="FoldedBytes"/>.</param>
    private void AddFolded(ReadOnlySpan<byte> bytes)
    {
        var words = MemoryMarshal.Cast<byte, Vector128<ulong>>(bytes);
        var first = words[0] ^ Vector128.CreateScalar(Value);
        var second = words[1];
        var third = words[2];
        var fourth = words[3];
        for (words = words[4..]; words.Length >= 4; words = words[4..])
        {
            first = Fold(first, s_foldBy64) ^ words[0];
            second = Fold(second, s_foldBy64) ^ words[1];
            third = Fold(third, s_foldBy64) ^ words[2];
            fourth = Fold(fourth, s_foldBy64) ^ words[3];
        }

        var all = Fold(first, s_foldBy16) ^ second;
        all = Fold(all, s_foldBy16) ^ third;
        all = Fold(all, s_foldBy16) ^ fourth;
        Value = AddByTables(0, MemoryMarshal.AsBytes(new ReadOnlySpan<Vector128<ulong>>(in all)));
    }

    private static Vector128<ulong> Fold(Vector128<ulong> lane, Vector128<ulong> by)
        => Pclmulqdq.CarrylessMultiply(lane, by, 0x00) ^ Pclmulqdq.CarrylessMultiply(lane, by, 0x11);

    /// <summary>What moves 16 bytes over as many others: the lower half, whose bits weigh more, by 64 more bits, and
    /// both by one less, since the product of two words whose bits are reversed lacks a bit at its end.</summary>
    private static Vector128<ulong> FoldBy(int bytes)
        => Vector128.Create(Power((8 * bytes) + 63), Power((8 * bytes) - 1));

    /// <summary>x to the power, modulo the polynomial, its bits reversed.</summary>
    private static ulong Power(int exponent)
    {
        var power = 1UL << 63;
        for (; exponent > 0; exponent--)
        {
            power = (power >> 1) ^ ((power & 1) != 0 ? Polynomial : 0);
        }

        return power;
    }

    private static ulong Apply(ReadOnlySpan<ulong> map, ulong value)
    {
        var result = 0UL;
        for (; value != 0; value &= value - 1)
        {
            result ^= map[BitOperations.TrailingZeroCount(value)];
        }

        return result;
    }

    /// <summary>Table after table of 256 entries: what a byte becomes with 0, 1, … 7 zero bytes behind it.</summary>
    private static ulong[] MakeTables()
    {
        var tables = new ulong[Slices << 8];
        for (var i = 0; i < 256; i++)
        {
            var crc = (ulong)i;
            for (var bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) != 0 ? Polynomial : 0);
            }

            tables[i] = crc;
        }

        for (var i = 256; i < tables.Length; i++)
        {
            var before = tables[i - 256];
            tables[i] = tables[(int)(before & 0xFF)] ^ (before >> 8);
        }

        return tables;
    }
}
