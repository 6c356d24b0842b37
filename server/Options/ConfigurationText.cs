using System.Text;

namespace Strata.Server.Options;

/// <summary>
/// The form in which configuration text is held: a string with one byte per char (Latin-1), so that a password or a
/// path with any bytes passes unchanged from the file to CONFIG GET and back. Everything in this namespace that is not
/// marked otherwise is in this form; these methods convert at its borders.
/// </summary>
public static class ConfigurationText
{
    /// <summary>From the bytes of a file or a command.</summary>
    public static string FromBytes(ReadOnlySpan<byte> bytes) => Encoding.Latin1.GetString(bytes);

    /// <summary>From an argument or an environment variable, which .NET has decoded as UTF-8.</summary>
    public static string FromUnicode(string text) => FromBytes(Encoding.UTF8.GetBytes(text));

    /// <summary>To the bytes that a reply or a file holds.</summary>
    public static byte[] ToBytes(string text) => Encoding.Latin1.GetBytes(text);

    /// <summary>The text in lower case: only ASCII's letters have two cases.</summary>
    public static string ToLower(string text)
        => string.Create(text.Length, text, static (target, source) =>
        {
            for (var i = 0; i < target.Length; i++)
            {
                target[i] = char.IsAsciiLetterUpper(source[i]) ? (char)(source[i] | 0x20) : source[i];
            }
        });

    /// <summary>To a string for .NET's own calls (paths, host names) and for messages to people.</summary>
    public static string ToUnicode(string text) => Encoding.UTF8.GetString(ToBytes(text));
}
