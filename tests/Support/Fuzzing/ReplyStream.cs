using System.Globalization;
using System.Text;

namespace Strata.Tests.Support.Fuzzing;

/// <summary>Looks whether all that a server has sent are whole replies, one after the other, of RESP2 or RESP3.
/// </summary>
internal sealed class ReplyStream(byte[] bytes)
{
    private int _at;

    /// <summary>How many there are.</summary>
    /// <exception cref="InvalidDataException">Something is no reply.</exception>
    public int Count()
    {
        var count = 0;
        while (_at < bytes.Length)
        {
            Skip();
            count++;
        }

        return count;
    }

    private void Skip()
    {
        var kind = (char)bytes[_at];
        var line = Line();
        switch (kind)
        {
            case '+' or '-' or ':' or '#' or ',' or '(' or '_':
                break;
            case '$' or '=' or '!':
                SkipBytes(Number(line));
                break;
            case '*' or '~' or '>':
                SkipItems(Number(line));
                break;
            case '%':
                SkipItems(2 * Number(line));
                break;
            case '|':
                SkipItems((2 * Number(line)) + 1);
                break;
            default:
                throw Wrong($"'{kind}' begins no reply");
        }
    }

    private void SkipBytes(int length)
    {
        if (length < 0)
        {
            return;
        }

        if (_at + length + 2 > bytes.Length || bytes[_at + length] != '\r' || bytes[_at + length + 1] != '\n')
        {
            throw Wrong($"no end behind {length} bytes");
        }

        _at += length + 2;
    }

    private void SkipItems(int count)
    {
        for (var i = 0; i < count; i++)
        {
            if (_at == bytes.Length)
            {
                throw Wrong($"{i} of {count} items");
            }

            Skip();
        }
    }

    private string Line()
    {
        var length = bytes.AsSpan(_at).IndexOf("\r\n"u8);
        if (length < 0)
        {
            throw Wrong("a line without an end");
        }

        var line = Encoding.Latin1.GetString(bytes, _at, length);
        _at += length + 2;
        return line;
    }

    private int Number(string line)
        => int.TryParse(line.AsSpan(1), CultureInfo.InvariantCulture, out var number)
            ? number
            : throw Wrong($"no number: {line}");

    private InvalidDataException Wrong(string what)
        => new($"{what}, at {_at} of {RespPrinter.Quote(bytes)}");
}
