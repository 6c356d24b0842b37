using System.Globalization;
using System.Text;

namespace Strata.Server.Text;

/// <summary>
/// The words of one line as in redis.conf, or of the first line of a script: separated by blanks; <c>"…"</c> knows the
/// escapes <c>\n \r \t \b \a \xHH</c> and <c>\</c> before any other character, <c>'…'</c> only <c>\'</c>; a closing
/// quote must be followed by a blank or the end.
/// </summary>
public static class QuotedWords
{
    private const string Blanks = " \t\n\v\f\r";

    /// <summary>Splits a line into words; false when a quote is not closed or is followed by something else.</summary>
    public static bool TrySplit(string line, out List<string> words)
    {
        var areWords = AreWords(line);
        words = areWords ? [.. Split(line)] : [];
        return areWords;
    }

    /// <summary>Whether each quote is closed, and followed by nothing else.</summary>
    public static bool AreWords(string line)
    {
        var word = new StringBuilder();
        for (var at = SkipBlanks(line, 0); at < line.Length; at = SkipBlanks(line, at))
        {
            word.Clear();
            if (!TryReadWord(line, ref at, word))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The words of a line, up to one that is none.</summary>
    public static IEnumerable<string> Split(string line)
    {
        var word = new StringBuilder();
        for (var at = SkipBlanks(line, 0); at < line.Length; at = SkipBlanks(line, at))
        {
            word.Clear();
            if (!TryReadWord(line, ref at, word))
            {
                yield break;
            }

            yield return word.ToString();
        }
    }

    /// <summary>The text in double quotes, so that <see cref="TrySplit"/> gives it back as one word.</summary>
    public static string Quote(string text)
    {
        var quoted = new StringBuilder(text.Length + 2).Append('"');
        foreach (var c in text)
        {
            _ = c switch
            {
                '\\' or '"' => quoted.Append('\\').Append(c),
                '\n' => quoted.Append("\\n"),
                '\r' => quoted.Append("\\r"),
                '\t' => quoted.Append("\\t"),
                '\a' => quoted.Append("\\a"),
                '\b' => quoted.Append("\\b"),
                < ' ' or > '~' => quoted.Append(CultureInfo.InvariantCulture, $"\\x{(int)c:x2}"),
                _ => quoted.Append(c),
            };
        }

        return quoted.Append('"').ToString();
    }

    private static int SkipBlanks(string line, int at)
    {
        while (at < line.Length && Blanks.Contains(line[at]))
        {
            at++;
        }

        return at;
    }

    private static bool TryReadWord(string line, ref int at, StringBuilder word)
    {
        while (at < line.Length)
        {
            var c = line[at];
            if (Blanks.Contains(c))
            {
                return true;
            }

            at++;
            if (c is '"' or '\'')
            {
                // A quote may open in the middle of a word; where it closes, the word ends.
                return TryReadQuoted(line, ref at, c, word) && (at == line.Length || Blanks.Contains(line[at]));
            }

            word.Append(c);
        }

        return true;
    }

    private static bool TryReadQuoted(string line, ref int at, char quote, StringBuilder word)
    {
        while (at < line.Length)
        {
            var c = line[at++];
            if (c == quote)
            {
                return true;
            }

            if (c != '\\' || at == line.Length)
            {
                word.Append(c);
            }
            else if (quote == '"')
            {
                word.Append(ReadEscape(line, ref at));
            }
            else if (line[at] == '\'')
            {
                word.Append(line[at++]);
            }
            else
            {
                word.Append(c);
            }
        }

        return false;
    }

    private static char ReadEscape(string line, ref int at)
    {
        var c = line[at++];
        if (c == 'x' && at + 1 < line.Length && char.IsAsciiHexDigit(line[at]) && char.IsAsciiHexDigit(line[at + 1]))
        {
            at += 2;
            return (char)Convert.ToInt32(line.Substring(at - 2, 2), 16);
        }

        return c switch
        {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\b',
            'a' => '\a',
            _ => c,
        };
    }
}
