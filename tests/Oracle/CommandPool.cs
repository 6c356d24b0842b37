using System.Globalization;

namespace Strata.Tests.Oracle;

/// <summary>
/// The words that one sequence's commands are made of. Few keys and values, so that commands meet each other; the
/// keys are another choice for every sequence, so that all shards are met. Everything follows from the seed.
/// </summary>
internal sealed class CommandPool
{
    /// <summary>2100-01-01: absolute times start here, above anything that a relative time can reach.</summary>
    private const long FirstAbsoluteSecond = 4_102_444_800;

    private const int AbsoluteTimes = 5;
    private const int UniverseKeys = 200;
    private const int LongestRelativeThousandSeconds = 2_000_000;

    /// <summary>Offsets stay below this, so that no command makes a value of megabytes.</summary>
    private const int LargestOffset = 3_000;

    private static readonly string[] s_oddKeys =
    [
        "", "a b", "\0\xff\x80", "k\r\n1", "{tag}:1", "{tag}:2", "1", "*", "h[a]llo", "h?llo", "hallo", "hello", "\\",
        new('k', 300),
    ];

    private static readonly string[] s_values =
    [
        "", "0", "1", "-1", "7", "10", "100", "9999", "10000", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "2147483648", "01", "+1", " 1", "1 ", "-0", "3.0", "0.1", "1.5e3", "5e-1", "inf", "nan",
        "abc", "foobar", "mynewtext", "ohmytext", "\0\x01\xff", "a\r\nb", "\xff\xf0\0", "\0\0\0\x10",
        new('x', 44), new('x', 45), new('y', 200), new('z', 2_000),
    ];

    private static readonly string[] s_integers =
    [
        "0", "1", "-1", "2", "3", "-2", "5", "-5", "7", "10", "-10", "64", "100", "-100",
        "9223372036854775807", "-9223372036854775808", "4294967296", "-4294967296",
    ];

    private static readonly string[] s_notIntegers =
    [
        "", "abc", "1.5", "9223372036854775808", "-9223372036854775809", " 1", "1 ", "+1", "01", "0x10", "1e3", "\0",
        "18446744073709551616", "-", "--1", "-0",
    ];

    private static readonly string[] s_floats =
    [
        "0", "1", "-1", "0.1", "-0.1", "1.5", "3.14159", "5.0e3", "1e-5", "1e17", "123456789.123456789", "-2.50",
        "1e30",
    ];

    private static readonly string[] s_notFloats = ["", "abc", " 1", "1 ", "nan", "inf", "-inf", "1e400", "1.2.3",
        "0x", "\0"];

    private readonly Random _random;
    private readonly HashSet<int> _usedRelativeTimes = [];
    private readonly string[] _keys;

    public CommandPool(Random random)
    {
        _random = random;
        MayLackMemory = Chance(0.5);
        _keys = new string[random.Next(2, 8)];
        for (var i = 0; i < _keys.Length; i++)
        {
            _keys[i] = Chance(0.2) ? Pick(s_oddKeys) : $"key:{random.Next(UniverseKeys)}";
        }
    }

    public IReadOnlyList<string> Keys => _keys;

    /// <summary>Whether the sequence may set a memory limit below what is held. It then evicts nothing: which keys go,
    /// and when, is each server's own.</summary>
    public bool MayLackMemory { get; }

    /// <summary>The highest number that <see cref="Rise"/> gave.</summary>
    public int Risen { get; private set; }

    /// <summary>A number that rises over the sequence.</summary>
    public int Rise() => Risen += _random.Next(1, 3);

    public bool Chance(double probability) => _random.NextDouble() < probability;

    public int Below(int limit) => _random.Next(limit);

    public T Pick<T>(params IReadOnlyList<T> choices) => choices[_random.Next(choices.Count)];

    public string Key() => Chance(0.03) ? $"key:{_random.Next(UniverseKeys)}" : Pick(_keys);

    public string Value() => Pick(s_values);

    /// <summary>Mostly a 64-bit integer, sometimes at its limits, sometimes not one.</summary>
    public string Integer() => Chance(0.1) ? Pick(s_notIntegers) : Pick(s_integers);

    public string Float() => Chance(0.1) ? Pick(s_notFloats) : Pick(s_floats);

    /// <summary>A position in a value: near its ends, far outside, negative, or not a number.</summary>
    public string Position() => Chance(0.15) ? Integer() : Text(_random.Next(-20, 60));

    /// <summary>An offset to write at: small enough to be harmless, or one that must be refused.</summary>
    public string Offset()
    {
        if (Chance(0.1))
        {
            return Pick("-1", "4294967296", "9223372036854775807", "536870912000", "abc", "", "1.0",
                "-9223372036854775808");
        }

        return Text(Chance(0.8) ? _random.Next(40) : _random.Next(LargestOffset));
    }

    /// <summary>
    /// A time to live in thousands of seconds that no other command of the sequence uses: which of two is greater
    /// then never depends on when they were given.
    /// </summary>
    public long RelativeSeconds()
    {
        int thousands;
        do
        {
            thousands = _random.Next(10, LongestRelativeThousandSeconds);
        }
        while (!_usedRelativeTimes.Add(thousands));

        return thousands * 1000L;
    }

    /// <summary>One of few absolute times, so that equal ones meet.</summary>
    public long AbsoluteSeconds() => FirstAbsoluteSecond + (_random.Next(AbsoluteTimes) * 1000L);

    /// <summary>Whether a Unix time is one of those that commands give absolutely, and thus the same
    /// anywhere.</summary>
    public static bool IsAbsolute(long unixSecond) =>
        unixSecond is >= FirstAbsoluteSecond and < FirstAbsoluteSecond + (AbsoluteTimes * 1000L);

    /// <summary>A time to live: long, or one that must be refused.</summary>
    public string TimeToLive(bool milliseconds)
    {
        if (Chance(0.12))
        {
            return Pick(
                "0", "-1", "-100", "abc", "", "1.5", "9223372036854775807", "-9223372036854775808",
                "9223372036854775808");
        }

        return Text(RelativeSeconds() * (milliseconds ? 1000 : 1));
    }

    /// <summary>A point in time: far in the future, past, or one that must be refused.</summary>
    public string PointInTime(bool milliseconds)
    {
        if (Chance(0.12))
        {
            return Pick("0", "-1", "1", "1000000000", "abc", "", "9223372036854775807", "-9223372036854775808");
        }

        return Text(AbsoluteSeconds() * (milliseconds ? 1000 : 1));
    }

    /// <summary>A glob over the keys' names.</summary>
    public string Glob() => Pick(
        "*", "*", "key:*", "key:?", "key:1*", "*1", "key:[0-9]", "key:[^1]*", "key:[1-", "h[ae]llo", "h?llo",
        "h[^e]llo",
        "\\*", "", "nothing", "{tag}:*", "[", "\\", "k*y*", "**", "*\xff*", Key());

    /// <summary>A word where another one is wanted.</summary>
    public string Junk() => Pick("", "junk", "NX", "XX", "GET", "EX", "LIMIT", "0", "1", "-1", "\0\xff", "WITH space");

    /// <summary>The same word in the case that the wire brought it in.</summary>
    public string MixedCase(string word)
    {
        if (Chance(0.6))
        {
            return word;
        }

        return string.Concat(word.Select(c => Chance(0.5) ? char.ToLowerInvariant(c) : char.ToUpperInvariant(c)));
    }

    public string[] Several(int most, Func<string> make) =>
        [.. Enumerable.Range(0, _random.Next(1, most + 1)).Select(_ => make())];

    public static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
