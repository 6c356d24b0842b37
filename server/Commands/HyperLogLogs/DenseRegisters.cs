using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>Registers of six bits each, the first in the lowest bits of the first byte.</summary>
internal static class DenseRegisters
{
    public const int Bytes = HyperLogLogFormat.Registers * Bits / 8;

    private const int Bits = 6;
    private const int Mask = (1 << Bits) - 1;

    /// <summary>Four registers fill three bytes.</summary>
    private const int GroupBytes = 3;

    /// <summary>Registers that are unpacked together, out of twelve bytes; sixteen are read, so that some must follow.
    /// </summary>
    private const int RegistersAtOnce = 16;
    private const int RegistersBehind = 8;

    /// <summary>A register's value, 0 to 63.</summary>
    public static int Get(ReadOnlySpan<byte> registers, int index)
        => (ReadGroup(registers, index) >> ShiftOf(index)) & Mask;

    /// <summary>Gives a register a value, 0 to 63.</summary>
    public static void Set(Span<byte> registers, int index, int value)
    {
        var group = (ReadGroup(registers, index) & ~(Mask << ShiftOf(index))) | (value << ShiftOf(index));
        var at = (index >> 2) * GroupBytes;
        registers[at] = (byte)group;
        registers[at + 1] = (byte)(group >> 8);
        registers[at + 2] = (byte)(group >> 16);
    }

    /// <summary>Adds how many registers have which value.</summary>
    /// <param name="registers">All of them.</param>
    /// <param name="histogram">A number for each value.</param>
    [SkipLocalsInit]
    public static void Count(ReadOnlySpan<byte> registers, Span<int> histogram)
    {
        Span<byte> ranks = stackalloc byte[HyperLogLogFormat.Registers];
        ranks.Clear();
        RaiseIn(registers, ranks);
        RankHistogram.Add(ranks, histogram);
    }

    /// <summary>Raises ranks, a byte each, to those of the registers.</summary>
    /// <param name="registers">All of them.</param>
    /// <param name="ranks">As many.</param>
    public static void RaiseIn(ReadOnlySpan<byte> registers, Span<byte> ranks)
    {
        var i = 0;
        ref var source = ref MemoryMarshal.GetReference(registers);
        ref var target = ref MemoryMarshal.GetReference(ranks);
        for (; i <= HyperLogLogFormat.Registers - RegistersAtOnce - RegistersBehind; i += RegistersAtOnce)
        {
            var at = (nuint)(i / 4 * GroupBytes);
            var unpacked = Unpack(Vector128.LoadUnsafe(ref source, at));
            Vector128.Max(unpacked, Vector128.LoadUnsafe(ref target, (nuint)i)).StoreUnsafe(ref target, (nuint)i);
        }

        for (; i < HyperLogLogFormat.Registers; i++)
        {
            ranks[i] = Math.Max(ranks[i], (byte)Get(registers, i));
        }
    }

    /// <summary>Spreads the sixteen registers in the first twelve bytes to a byte each.</summary>
    private static Vector128<byte> Unpack(Vector128<byte> packed)
    {
        var groups = Vector128.Shuffle(packed, Vector128.Create((byte)
            0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255)).AsUInt32();
        var spread = (groups & Vector128.Create(0x3fU))
            | ((groups << 2) & Vector128.Create(0x3f00U))
            | ((groups << 4) & Vector128.Create(0x3f0000U))
            | ((groups << 6) & Vector128.Create(0x3f000000U));
        return spread.AsByte();
    }

    private static int ShiftOf(int index) => (index & 3) * Bits;

    private static int ReadGroup(ReadOnlySpan<byte> registers, int index)
    {
        var group = registers.Slice((index >> 2) * GroupBytes, GroupBytes);
        return group[0] | (group[1] << 8) | (group[2] << 16);
    }
}
