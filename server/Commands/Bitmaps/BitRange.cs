using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>A range of bits, both ends included; empty when the first is behind the last.</summary>
/// <param name="First">Offset of the first bit.</param>
/// <param name="Last">Offset of the last bit.</param>
internal readonly record struct BitRange(long First, long Last)
{
    public bool IsEmpty => First > Last;

    /// <summary>The range that a command's arguments mean, cut to a value's length.</summary>
    /// <param name="start">The first unit; negative counts from the end.</param>
    /// <param name="end">The last unit, likewise.</param>
    /// <param name="unit">What is counted.</param>
    /// <param name="lengthBytes">Length of the value.</param>
    public static BitRange Of(long start, long end, BitUnit unit, int lengthBytes)
    {
        var units = unit == BitUnit.Bit ? lengthBytes * 8L : lengthBytes;
        start = Math.Max(start < 0 ? units + start : start, 0);
        end = Math.Min(Math.Max(end < 0 ? units + end : end, 0), units - 1);
        if (start > end)
        {
            return new BitRange(0, -1);
        }

        return unit == BitUnit.Bit ? new BitRange(start, end) : new BitRange(start * 8, (end * 8) + 7);
    }

    /// <summary>Reads the word BYTE or BIT; answers a syntax error when it is neither.</summary>
    public static bool TryReadUnit(CommandContext context, int index, out BitUnit unit)
    {
        unit = context.IsWord(index, "bit"u8) ? BitUnit.Bit : BitUnit.Byte;
        if (unit == BitUnit.Bit || context.IsWord(index, "byte"u8))
        {
            return true;
        }

        context.Reply.Error(Errors.Syntax);
        return false;
    }
}
