namespace Strata.Server.Resp;

/// <summary>
/// Inline commands (telnet): words up to the end of the line, "..." with \xHH, \n, \r, \t, \b, \a escapes, '...' with
/// \' only. Escapes are undone in place: what a quoted word stands for is never longer than what was typed.
/// </summary>
internal static unsafe class InlineParser
{
    public static ParseStatus Parse(byte* input, int length, ref ParseState state, ArgumentBuffer arguments)
    {
        var line = new ReadOnlySpan<byte>(input, length);
        var end = line[state.Position..].IndexOf((byte)'\n');
        if (end < 0)
        {
            state.Position = 0;
            if (length <= ServerLimits.MaxInlineBytes)
            {
                return ParseStatus.NeedMore;
            }

            state.Error = ProtocolError.TooBigInlineRequest;
            return ParseStatus.Error;
        }

        state.Position = end + 1;
        var stop = end > 0 && input[end - 1] == '\r' ? end - 1 : end;
        if (!SplitWords(input, stop, arguments))
        {
            state.Error = ProtocolError.UnbalancedQuotes;
            return ParseStatus.Error;
        }

        return ParseStatus.Complete;
    }

    private static bool SplitWords(byte* input, int stop, ArgumentBuffer arguments)
    {
        var i = 0;
        while (true)
        {
            while (i < stop && IsSpace(input[i]))
            {
                i++;
            }

            if (i >= stop)
            {
                return true;
            }

            var start = i;
            if (!ReadWord(input, stop, ref i, out var length))
            {
                return false;
            }

            arguments.Add(start, length);
        }
    }

    private static bool ReadWord(byte* input, int stop, ref int i, out int length)
    {
        var start = i;
        var write = i;
        while (i < stop && !IsSpace(input[i]))
        {
            var quote = input[i];
            if (quote is (byte)'"' or (byte)'\'')
            {
                i++;
                if (!ReadQuoted(input, stop, quote, ref i, ref write))
                {
                    length = 0;
                    return false;
                }

                // A closing quote must be followed by white space or the end.
                length = write - start;
                return i >= stop || IsSpace(input[i]);
            }

            input[write++] = input[i++];
        }

        length = write - start;
        return true;
    }

    private static bool ReadQuoted(byte* input, int stop, byte quote, ref int i, ref int write)
    {
        while (i < stop)
        {
            var c = input[i];
            if (c == quote)
            {
                i++;
                return true;
            }

            if (c == '\\' && i + 1 < stop && quote == '\'' && input[i + 1] == '\'')
            {
                input[write++] = (byte)'\'';
                i += 2;
            }
            else if (c == '\\' && i + 1 < stop && quote == '"')
            {
                input[write++] = Unescape(input, stop, ref i);
            }
            else
            {
                input[write++] = c;
                i++;
            }
        }

        return false;
    }

    private static byte Unescape(byte* input, int stop, ref int i)
    {
        var c = input[i + 1];
        if (c == 'x' && i + 3 < stop
            && char.IsAsciiHexDigit((char)input[i + 2]) && char.IsAsciiHexDigit((char)input[i + 3]))
        {
            var value = (byte)((HexValue(input[i + 2]) << 4) | HexValue(input[i + 3]));
            i += 4;
            return value;
        }

        i += 2;
        return c switch
        {
            (byte)'n' => (byte)'\n',
            (byte)'r' => (byte)'\r',
            (byte)'t' => (byte)'\t',
            (byte)'b' => (byte)'\b',
            (byte)'a' => (byte)'\a',
            _ => c,
        };
    }

    private static int HexValue(byte c) => char.IsAsciiDigit((char)c) ? c - '0' : (c | 0x20) - 'a' + 10;

    private static bool IsSpace(byte c) => c is (byte)' ' or (>= (byte)'\t' and <= (byte)'\r');
}
