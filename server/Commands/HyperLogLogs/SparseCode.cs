namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>One code of sparse registers: a run of registers with the same value. <c>00nnnnnn</c> is n + 1 registers
/// that are zero, <c>01nnnnnn nnnnnnnn</c> the same with a longer number, <c>1vvvvvnn</c> is n + 1 registers of value
/// v + 1.</summary>
/// <param name="Value">The registers' value; 0 to 32.</param>
/// <param name="Run">How many they are.</param>
/// <param name="Bytes">Bytes of the code.</param>
internal readonly record struct SparseCode(int Value, int Run, int Bytes)
{
    public const int MaxBytes = 2;

    /// <summary>The highest value for which there is a code.</summary>
    public const int MaxValue = 32;

    /// <summary>The longest run of registers that are not zero.</summary>
    public const int MaxValueRun = 4;

    private const int MaxShortZeros = 64;
    private const int LongZeros = 0x40;
    private const int Values = 0x80;

    public bool IsZero => Value == 0;

    /// <summary>Reads the code at a place where there are bytes left. If it is cut off, it is longer than what
    /// is there.</summary>
    public static SparseCode Read(ReadOnlySpan<byte> codes, int at)
    {
        int first = codes[at];
        if ((first & Values) != 0)
        {
            return new((first >> 2 & 0x1f) + 1, (first & 3) + 1, 1);
        }

        if ((first & LongZeros) == 0)
        {
            return new(0, first + 1, 1);
        }

        var second = at + 1 < codes.Length ? codes[at + 1] : 0;
        return new(0, ((first & 0x3f) << 8 | second) + 1, 2);
    }

    /// <summary>Writes the code of a run in the form that Redis chooses.</summary>
    /// <returns>Its bytes.</returns>
    public static int Write(Span<byte> target, int value, int run)
    {
        if (value > 0)
        {
            target[0] = (byte)(Values | (value - 1) << 2 | (run - 1));
            return 1;
        }

        if (run <= MaxShortZeros)
        {
            target[0] = (byte)(run - 1);
            return 1;
        }

        target[0] = (byte)(LongZeros | (run - 1) >> 8);
        target[1] = (byte)(run - 1);
        return 2;
    }
}
