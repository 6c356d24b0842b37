using System.Text;

namespace Strata.Server.Text;

/// <summary>An argument as error texts show it: like Redis's, up to its first NUL byte.</summary>
internal static class EchoedArgument
{
    /// <summary>The text, one character a byte.</summary>
    /// <param name="argument">The argument.</param>
    /// <param name="maxBytes">How much of it is shown at most.</param>
    public static string Of(ReadOnlySpan<byte> argument, int maxBytes = int.MaxValue)
    {
        var end = argument.IndexOf((byte)0);
        var shown = Math.Min(end < 0 ? argument.Length : end, maxBytes);
        return Encoding.Latin1.GetString(argument[..shown]);
    }

    /// <summary>A verb, in upper case, as far as its letters are ASCII's.</summary>
    public static string InUpperCase(ReadOnlySpan<byte> verb)
        => string.Concat(Of(verb).Select(
            static letter => char.IsAsciiLetterLower(letter) ? (char)(letter & ~0x20) : letter));
}
