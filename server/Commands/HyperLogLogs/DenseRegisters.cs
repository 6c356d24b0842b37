namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>Registers of six bits each, the first in the lowest bits of the first byte.</summary>
internal static class DenseRegisters
{
    public const int Bytes = HyperLogLogFormat.Registers * Bits / 8;

    private const int Bits = 6;
    private const int Mask = (1 << Bits) - 1;

    /// <summary>Four registers fill three bytes.</summary>
    private const int GroupBytes = 3;

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
    public static void Count(ReadOnlySpan<byte> registers, Span<int> histogram)
    {
        for (var i = 0; i < HyperLogLogFormat.Registers; i += 4)
        {
            var group = ReadGroup(registers, i);
            histogram[group & Mask]++;
            histogram[(group >> Bits) & Mask]++;
            histogram[(group >> (2 * Bits)) & Mask]++;
            histogram[(group >> (3 * Bits)) & Mask]++;
        }
    }

    /// <summary>Raises ranks, a byte each, to those of the registers.</summary>
    public static void RaiseIn(ReadOnlySpan<byte> registers, Span<byte> ranks)
    {
        for (var i = 0; i < HyperLogLogFormat.Registers; i += 4)
        {
            var group = ReadGroup(registers, i);
            for (var j = 0; j < 4; j++)
            {
                ranks[i + j] = Math.Max(ranks[i + j], (byte)((group >> (j * Bits)) & Mask));
            }
        }
    }

    private static int ShiftOf(int index) => (index & 3) * Bits;

    private static int ReadGroup(ReadOnlySpan<byte> registers, int index)
    {
        var group = registers.Slice((index >> 2) * GroupBytes, GroupBytes);
        return group[0] | (group[1] << 8) | (group[2] << 16);
    }
}
