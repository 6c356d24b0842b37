using System.Runtime.CompilerServices;
using Strata.Storage.Strings;

namespace Strata.Server.Resp;

/// <summary>Numbers as Redis reads them from arguments: no white space, no plus sign, no leading zeros.</summary>
public static class NumberParser
{
    /// <summary>Reads a signed 64-bit integer in its one canonical form (Redis's string2ll).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryParseInt64(ReadOnlySpan<byte> text, out long value)
        => CanonicalInteger.TryParse(text, out value);

    /// <summary>Whether <paramref name="text"/> is <paramref name="word"/> (lower case), whatever its case.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsWord(ReadOnlySpan<byte> text, ReadOnlySpan<byte> word)
        => text.Length == word.Length && System.Text.Ascii.EqualsIgnoreCase(text, word);

    /// <summary>Formats an integer.</summary>
    /// <returns>Bytes written.</returns>
    public static int Format(long value, Span<byte> destination) => CanonicalInteger.Format(value, destination);
}
