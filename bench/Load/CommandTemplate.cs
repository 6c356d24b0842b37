using System.Globalization;
using System.Text;
using Strata.Bench.Keys;

namespace Strata.Bench.Load;

/// <summary>
/// The bytes of a request, made once, and the places in it that numbers are written to: nine digits each. As a text it
/// is the words of a command, with <c>{key}</c> for a number of the load's keys, <c>{random:N}</c> for one below N and
/// <c>{data:N}</c> for N letters.
/// </summary>
internal sealed class CommandTemplate
{
    private const char Separator = ';';

    private readonly byte[] _bytes;
    private readonly (int Offset, IKeySource? Numbers)[] _places;

    private CommandTemplate(byte[] bytes, (int Offset, IKeySource? Numbers)[] places)
    {
        _bytes = bytes;
        _places = places;
    }

    /// <summary>Bytes of a request.</summary>
    public int SizeBytes => _bytes.Length;

    /// <summary>Reads the templates of commands separated by semicolons.</summary>
    /// <exception cref="BenchException">A placeholder is none of those there are.</exception>
    public static CommandTemplate[] ParseAll(string commands, ulong seed) =>
    [
        .. commands.Split(Separator, StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select((command, index) => Parse(command, SplitMix64.Mix(seed + (ulong)index))),
    ];

    /// <summary>Writes a request with the next numbers; false when the keys have run out.</summary>
    public bool TryWrite(Span<byte> destination, IKeySource keys)
    {
        _bytes.CopyTo(destination);
        foreach (var (offset, numbers) in _places)
        {
            if (!(numbers ?? keys).TryNext(out var number))
            {
                return false;
            }

            KeyName.WriteDigits(destination[offset..], number);
        }

        return true;
    }

    private static CommandTemplate Parse(string command, ulong seed)
    {
        var words = command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var request = new StringBuilder();
        var places = new List<(int Offset, IKeySource? Numbers)>();
        request.Append(CultureInfo.InvariantCulture, $"*{words.Length}\r\n");
        foreach (var word in words)
        {
            var numbers = new List<(int Offset, IKeySource? Numbers)>();
            var text = Expand(word, seed + (ulong)request.Length, numbers);
            request.Append(CultureInfo.InvariantCulture, $"${text.Length}\r\n");
            places.AddRange(numbers.Select(place => (place.Offset + request.Length, place.Numbers)));
            request.Append(text).Append("\r\n");
        }

        return new CommandTemplate(Encoding.ASCII.GetBytes(request.ToString()), [.. places]);
    }

    /// <summary>A word with its data and with zeros where numbers go.</summary>
    private static string Expand(string word, ulong seed, List<(int Offset, IKeySource? Numbers)> numbers)
    {
        var text = new StringBuilder();
        for (var rest = word; rest.Length > 0;)
        {
            var open = rest.IndexOf('{', StringComparison.Ordinal);
            var close = rest.IndexOf('}', StringComparison.Ordinal);
            if (open < 0 || close < open)
            {
                text.Append(rest);
                break;
            }

            text.Append(rest, 0, open);
            var name = rest[(open + 1)..close];
            rest = rest[(close + 1)..];
            if (name == "key")
            {
                numbers.Add((text.Length, null));
                text.Append('0', KeyName.DigitCount);
            }
            else if (TryNumber(name, "random:", out var limit) && limit is > 0 and <= KeyName.MaxKeys)
            {
                numbers.Add((text.Length, new UniformKeys(limit, seed + (ulong)text.Length)));
                text.Append('0', KeyName.DigitCount);
            }
            else if (TryNumber(name, "data:", out var length) && length <= 512 << 20)
            {
                text.Append(Letters((int)length));
            }
            else
            {
                throw new BenchException(
                    $"--command has {{{name}}}: write {{key}}, {{random:N}} with N up to {KeyName.MaxKeys}, or {{data:N}}.");
            }
        }

        return text.ToString();
    }

    private static bool TryNumber(string name, string kind, out long number)
    {
        number = 0;
        return name.StartsWith(kind, StringComparison.Ordinal)
            && long.TryParse(name.AsSpan(kind.Length), NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    // Letters that do not compress or repeat, as far as a server could tell.
    private static char[] Letters(int count)
    {
        var random = new SplitMix64(0);
        var letters = new char[count];
        foreach (ref var letter in letters.AsSpan())
        {
            letter = (char)('a' + random.NextBelow(26));
        }

        return letters;
    }
}
