using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>
/// Sparse registers' codes (<see cref="SparseCode"/>), gone over sixteen bytes at a time: what kinds of codes follow
/// each other cannot be foreseen, so that a branch for each would mostly be guessed wrong. Which bytes are the second
/// ones of long codes is found without one as well, as escaped characters are (Langdale and Lemire, "Parsing gigabytes
/// of JSON per second", VLDB Journal 2019).
/// </summary>
internal static class SparseBlocks
{
    private const int BlockBytes = 16;
    private const uint EvenBytes = 0x5555;
    private const ulong InEachByte = 0x0101_0101_0101_0101;

    /// <summary>Passes the codes whose registers come before another, as long as there are many of them.</summary>
    /// <param name="codes">All codes.</param>
    /// <param name="from">Where to begin: no code before it stands for the register.</param>
    /// <param name="index">The register.</param>
    /// <param name="before">An earlier code than what is returned, but where none was passed.</param>
    /// <returns>From where it is not far to the register's code, if there is one.</returns>
    public static SparsePlace Pass(ReadOnlySpan<byte> codes, SparsePlace from, int index, out SparsePlace before)
    {
        before = from;
        while (codes.Length - from.At >= BlockBytes)
        {
            var registers = CountRegisters(
                Vector128.LoadUnsafe(ref MemoryMarshal.GetReference(codes), (nuint)from.At), out var isLastCut);
            var end = from.At + BlockBytes;
            if (isLastCut)
            {
                registers += end < codes.Length ? codes[end] : 0;
                end++;
            }

            if (index - from.First < registers)
            {
                break;
            }

            before = from;
            from = new(end, from.First + registers);
        }

        return from;
    }

    /// <summary>How many registers the codes of a block stand for, which begins with a code.</summary>
    /// <param name="block">The block.</param>
    /// <param name="isLastCut">Whether the second byte of the last code, which was not counted, stands behind it.
    /// </param>
    private static int CountRegisters(Vector128<byte> block, out bool isLastCut)
    {
        var looksLong = Vector128.Equals(block & Vector128.Create((byte)0xc0), Vector128.Create((byte)0x40));
        var isSecond = Expand(FindSeconds(looksLong.ExtractMostSignificantBits(), out isLastCut));
        var isValue = Vector128.GreaterThanOrEqual(block, Vector128.Create((byte)0x80));
        var runs = block & Vector128.ConditionalSelect(
            isValue, Vector128.Create((byte)(SparseCode.MaxValueRun - 1)), Vector128.Create((byte)0x3f));
        var low = Vector128.ConditionalSelect(
            isSecond, block, Vector128.AndNot(runs, looksLong) + Vector128<byte>.One);
        var high = Vector128.AndNot(runs & looksLong, isSecond);
        return Sum(low) + (Sum(high) << 8);
    }

    /// <summary>Tells which bytes are the second ones of long codes: of bytes in a row that look like the first of one,
    /// and of what follows them, every second.</summary>
    /// <param name="looksLong">A bit for each byte that looks like the first of a long code, the lowest for the first
    /// byte.</param>
    /// <param name="isLastCut">Whether the last byte is the first of one.</param>
    private static uint FindSeconds(uint looksLong, out bool isLastCut)
    {
        var follows = looksLong << 1;
        var startsAtOdd = looksLong & ~EvenBytes & ~follows;
        var carried = startsAtOdd + looksLong;
        isLastCut = carried >> BlockBytes != 0;
        return (EvenBytes ^ (carried << 1)) & follows & ushort.MaxValue;
    }

    /// <summary>Makes a byte of each bit.</summary>
    private static Vector128<byte> Expand(uint bits)
    {
        var selector = Vector128.Create(0x8040_2010_0804_0201).AsByte();
        var spread = Vector128.Create((byte)bits * InEachByte, (bits >> 8) * InEachByte).AsByte();
        return Vector128.Equals(spread & selector, selector);
    }

    private static int Sum(Vector128<byte> bytes)
    {
        var (lower, upper) = Vector128.Widen(bytes);
        return Vector128.Sum(lower + upper);
    }
}
