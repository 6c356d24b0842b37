using System.Buffers;

namespace Strata.Server.Clients.Access;

/// <summary>The text of rules and names, one character a byte: only ASCII's blanks are blanks.</summary>
internal static class RuleText
{
    private static readonly SearchValues<char> s_blanks = SearchValues.Create(" \t\n\v\f\r\0");
    private static readonly SearchValues<byte> s_blankBytes = SearchValues.Create(" \t\n\v\f\r\0"u8);

    /// <summary>Whether there are blanks or NUL bytes in a name or pattern, which would make rules that cannot be read
    /// again.</summary>
    public static bool HasBlanks(string text) => text.AsSpan().ContainsAny(s_blanks);

    /// <inheritdoc cref="HasBlanks(string)"/>
    public static bool HasBlanks(ReadOnlySpan<byte> text) => text.ContainsAny(s_blankBytes);
}
