using System.Buffers.Text;
using Strata.Server.Rdb;

namespace Strata.Server.Persistence;

/// <summary>Writes commands as RESP has them: a header, and an argument after the other.</summary>
internal static class CommandText
{
    private const int MostDigits = 20;

    /// <summary>Begins a command.</summary>
    /// <param name="output">Where it is written.</param>
    /// <param name="verb">Its first argument.</param>
    /// <param name="count">How many arguments it has, with that.</param>
    public static void Begin(RdbOutput output, ReadOnlySpan<byte> verb, int count)
    {
        Line(output, (byte)'*', count);
        Argument(output, verb);
    }

    /// <summary>An argument.</summary>
    public static void Argument(RdbOutput output, ReadOnlySpan<byte> argument)
    {
        BeginArgument(output, argument.Length);
        output.Write(argument);
        EndArgument(output);
    }

    /// <summary>An integer as an argument.</summary>
    public static void Argument(RdbOutput output, long argument)
    {
        Span<byte> digits = stackalloc byte[MostDigits];
        _ = Utf8Formatter.TryFormat(argument, digits, out var length);
        Argument(output, digits[..length]);
    }

    /// <summary>What stands before an argument whose bytes the caller writes.</summary>
    public static void BeginArgument(RdbOutput output, int bytes) => Line(output, (byte)'$', bytes);

    /// <summary>What stands behind it.</summary>
    public static void EndArgument(RdbOutput output) => output.Write("\r\n"u8);

    private static void Line(RdbOutput output, byte mark, int number)
    {
        Span<byte> digits = stackalloc byte[MostDigits];
        _ = Utf8Formatter.TryFormat(number, digits, out var length);
        output.WriteByte(mark);
        output.Write(digits[..length]);
        output.Write("\r\n"u8);
    }
}
