using System.Globalization;
using System.Text;
using Strata.Bench.Keys;

namespace Strata.Bench.Load;

/// <summary>
/// The bytes of a request, made once, and the places in it that numbers are written to: nine digits each. As a text it
/// is the words of a command with placeholders: <c>{key}</c> is the request's number out of the load's keys,
/// <c>{key/N}</c> and <c>{key%N}</c> are its quotient and remainder, <c>{next}</c> goes on to another number of the
/// load's keys, <c>{random:N}</c> is a number below N and <c>{data:N}</c> N letters. A word in quotes may have blanks
/// and semicolons in it; in single quotes it has no placeholders. One thread owns a template.
/// </summary>
internal sealed class CommandTemplate
{
    private const int MaxDataBytes = 512 << 20;

    private readonly byte[] _bytes;
    private readonly Place[] _places;

    private CommandTemplate(byte[] bytes, Place[] places)
    {
        _bytes = bytes;
        _places = places;
    }

    /// <summary>Bytes of a request.</summary>
    public int SizeBytes => _bytes.Length;

    /// <summary>Reads the templates of commands separated by semicolons.</summary>
    /// <exception cref="BenchException">There is no command, or a placeholder is none of those there are.</exception>
    public static CommandTemplate[] ParseAll(string commands, ulong seed)
    {
        var parsed = CommandWord.ReadAll(commands);
        return parsed.Count > 0
            ? [.. parsed.Select((words, index) => Parse(words, SplitMix64.Mix(seed + ((ulong)index << 32))))]
            : throw new BenchException("--command is empty: give a command, or several with ';' between them.");
    }

    /// <summary>Writes a request with the next numbers; false when the keys have run out.</summary>
    public bool TryWrite(Span<byte> destination, IKeySource keys)
    {
        _bytes.CopyTo(destination);
        var key = 0L;
        foreach (var place in _places)
        {
            if (place.Random is { } random)
            {
                random.TryNext(out var number);
                KeyName.WriteDigits(destination[place.Offset..], number);
                continue;
            }

            if (place.TakesKey && !keys.TryNext(out key))
            {
                return false;
            }

            KeyName.WriteDigits(destination[place.Offset..], key / place.Divisor % place.Modulus);
        }

        return true;
    }

    private static CommandTemplate Parse(List<CommandWord> words, ulong seed)
    {
        var request = new StringBuilder();
        var places = new List<Place>();
        request.Append(CultureInfo.InvariantCulture, $"*{words.Count}\r\n");
        foreach (var word in words)
        {
            var text = new StringBuilder();
            var first = places.Count;
            Expand(word, seed, text, places);
            request.Append(CultureInfo.InvariantCulture, $"${text.Length}\r\n");
            for (var i = first; i < places.Count; i++)
            {
                places[i] = places[i] with { Offset = places[i].Offset + request.Length };
            }

            request.Append(text).Append("\r\n");
        }

        return new CommandTemplate(Encoding.ASCII.GetBytes(request.ToString()), [.. places]);
    }

    /// <summary>Adds a word, with its data and with zeros where numbers go, and those places.</summary>
    private static void Expand(CommandWord word, ulong seed, StringBuilder text, List<Place> places)
    {
        for (var rest = word.Text; rest.Length > 0;)
        {
            var open = word.IsLiteral ? -1 : rest.IndexOf('{', StringComparison.Ordinal);
            var close = open < 0 ? -1 : rest.IndexOf('}', open);
            if (close < 0)
            {
                text.Append(rest);
                return;
            }

            text.Append(rest, 0, open);
            var name = rest[(open + 1)..close];
            rest = rest[(close + 1)..];
            if (TryNumber(name, "data:", MaxDataBytes, out var length))
            {
                text.Append(Letters((int)length));
            }
            else
            {
                places.Add(PlaceOf(name, text.Length, SplitMix64.Mix(seed + (ulong)places.Count), places));
                text.Append('0', KeyName.DigitCount);
            }
        }
    }

    private static Place PlaceOf(string name, int offset, ulong seed, List<Place> before)
    {
        if (TryNumber(name, "random:", KeyName.MaxKeys, out var limit) && limit > 0)
        {
            return new Place(offset, new UniformKeys(limit, seed));
        }

        // The first of a request takes its number, the others repeat it.
        var key = new Place(offset, Random: null, TakesKey: name == "next" || before.TrueForAll(p => p.Random != null));
        if (name is "key" or "next")
        {
            return key;
        }

        if (TryNumber(name, "key/", KeyName.MaxKeys, out var divisor) && divisor > 0)
        {
            return key with { Divisor = divisor };
        }

        return TryNumber(name, "key%", KeyName.MaxKeys, out var modulus) && modulus > 0
            ? key with { Modulus = modulus }
            : throw new BenchException($"--command has {{{name}}}: write {{key}}, {{key/N}}, {{key%N}}, {{next}} or "
                + $"{{random:N}} with N from 1 to {KeyName.MaxKeys}, or {{data:N}} with N up to {MaxDataBytes}.");
    }

    private static bool TryNumber(string name, string kind, long most, out long number)
    {
        number = 0;
        return name.StartsWith(kind, StringComparison.Ordinal)
            && long.TryParse(name.AsSpan(kind.Length), NumberStyles.None, CultureInfo.InvariantCulture, out number)
            && number <= most;
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

    /// <summary>Where a number goes: one at random, or the request's key divided and taken modulo.</summary>
    private readonly record struct Place(
        int Offset, IKeySource? Random, bool TakesKey = false, long Divisor = 1, long Modulus = long.MaxValue);
}
