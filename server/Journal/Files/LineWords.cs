using Strata.Storage.Strings;

namespace Strata.Server.Journal.Files;

/// <summary>Reads a line of ours word by word, in its one form and no other: any changed byte is found out.</summary>
internal ref struct LineWords
{
    private readonly ReadOnlySpan<byte> _text;

    /// <summary>At the beginning of a text.</summary>
    public LineWords(ReadOnlySpan<byte> text)
    {
        _text = text;
    }

    /// <summary>Bytes read.</summary>
    public int Length { get; private set; }

    /// <summary>Whether this text is next; goes on behind it.</summary>
    public bool Take(ReadOnlySpan<byte> text)
    {
        if (!_text[Length..].StartsWith(text))
        {
            return false;
        }

        Length += text.Length;
        return true;
    }

    /// <summary>Whether a number from 0 on is next; goes on behind it.</summary>
    public bool TakeNumber(out long number)
    {
        var rest = _text[Length..];
        var most = rest[..Math.Min(rest.Length, CanonicalInteger.MaxBytes)];
        var digits = most.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        if (digits <= 0 || !CanonicalInteger.TryParse(rest[..digits], out number))
        {
            number = 0;
            return false;
        }

        Length += digits;
        return true;
    }

    /// <summary>Whether a number of so many hexadecimal digits is next; goes on behind it.</summary>
    public bool TakeHex(int digits, out ulong number)
    {
        number = 0;
        var rest = _text[Length..];
        if (rest.Length < digits)
        {
            return false;
        }

        foreach (var c in rest[..digits])
        {
            if (!char.IsAsciiHexDigitLower((char)c))
            {
                return false;
            }

            number = (number << 4) | (uint)(c <= '9' ? c - '0' : c - 'a' + 10);
        }

        Length += digits;
        return true;
    }
}
