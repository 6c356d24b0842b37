using System.Globalization;
using System.Text;
using Strata.Server.Text;

namespace Strata.Server.Reports;

/// <summary>A key, or what it begins with, as a text that is seen as it is.</summary>
internal static class KeyText
{
    private static readonly UTF8Encoding s_strict = new(
        encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The key as a text; one that is none, or would not be seen as it is, as Redis quotes it.</summary>
    /// <param name="bytes">The key, or what it begins with.</param>
    /// <param name="isWhole">Whether it is the key.</param>
    public static string Of(byte[] bytes, bool isWhole)
    {
        var name = TextOf(bytes) ?? QuotedWords.Quote(Encoding.Latin1.GetString(bytes));
        return isWhole ? name : name + "…";
    }

    private static string? TextOf(byte[] bytes)
    {
        try
        {
            var text = s_strict.GetString(bytes);
            return text.Length > 0 && !text.Any(static c => char.IsControl(c) || !char.IsBetween(c, ' ', '\uFFFD'))
                && !text.Any(IsUnseen)
                ? text
                : null;
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    /// <summary>Blanks but the ordinary one, and what changes the direction of others or is not drawn.</summary>
    private static bool IsUnseen(char c)
        => (char.IsWhiteSpace(c) && c != ' ')
            || char.GetUnicodeCategory(c) is UnicodeCategory.Format
                or UnicodeCategory.PrivateUse
                or UnicodeCategory.OtherNotAssigned;
}
