using System.Globalization;
using System.Text;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Rdb;

/// <summary>Commands that give a key a random value of a type.</summary>
internal static class RandomValue
{
    private const int ElementsPerCommand = 500;

    public static readonly string[] Types = ["string", "list", "set", "zset", "hash", "stream"];

    private static readonly double[] s_scores =
    [
        0, 1, -1, 0.5, 3.25, 1e300, -1e-300, double.PositiveInfinity, double.NegativeInfinity, 1L << 53, 123456789012,
    ];

    /// <summary>The commands.</summary>
    /// <param name="random">What decides.</param>
    /// <param name="type">The type, as TYPE names it.</param>
    /// <param name="key">The key.</param>
    /// <param name="elements">About how many elements; of a string, how many bytes.</param>
    /// <param name="longest">The longest element, bytes.</param>
    public static List<RespCommand> Make(Random random, string type, string key, int elements, int longest)
    {
        if (type == "string")
        {
            return [Command("SET", key, Text(random, elements))];
        }

        if (type == "stream")
        {
            return Stream(random, key, Math.Max(1, elements), longest);
        }

        var isOfIntegers = random.Next(3) == 0;
        var commands = new List<RespCommand>();
        for (var left = Math.Max(1, elements); left > 0; left -= ElementsPerCommand)
        {
            var arguments = new List<byte[]> { Bytes(VerbOf(type, random)), Bytes(key) };
            for (var i = 0; i < Math.Min(left, ElementsPerCommand); i++)
            {
                var element = isOfIntegers ? Integer(random) : Text(random, random.Next(longest + 1));
                if (type == "zset")
                {
                    arguments.Add(Bytes(Score(random)));
                }

                arguments.Add(element);
                if (type == "hash")
                {
                    arguments.Add(random.Next(2) == 0 ? Integer(random) : Text(random, random.Next(longest + 1)));
                }
            }

            commands.Add(new RespCommand(arguments));
        }

        return commands;
    }

    /// <summary>Bytes that repeat themselves more or less, or a number.</summary>
    public static byte[] Text(Random random, int length)
    {
        if (random.Next(6) == 0)
        {
            return Integer(random);
        }

        var bytes = new byte[length];
        random.NextBytes(bytes);
        if (random.Next(3) > 0)
        {
            var letters = random.Next(2, 30);
            for (var i = 0; i < length; i++)
            {
                bytes[i] = (byte)('a' + (bytes[i] % letters));
            }
        }

        return bytes;
    }

    /// <summary>Entries with mostly the same fields, of which some are deleted, and perhaps a group that has read some.
    /// </summary>
    private static List<RespCommand> Stream(Random random, string key, int entries, int longest)
    {
        var commands = new List<RespCommand>();
        var fields = random.Next(1, 4);
        var milliseconds = random.Next(2) == 0 ? 1 : 1_700_000_000_000;
        var ids = new List<string>();
        for (var i = 0; i < entries; i++)
        {
            milliseconds += random.Next(3);
            ids.Add(string.Create(CultureInfo.InvariantCulture, $"{milliseconds}-{i + 1}"));
            var arguments = new List<byte[]> { Bytes("XADD"), Bytes(key), Bytes(ids[i]) };
            for (var field = random.Next(5) == 0 ? 1 : fields; field > 0; field--)
            {
                arguments.Add(random.Next(10) == 0 ? Text(random, random.Next(longest + 1)) : Bytes($"field{field}"));
                arguments.Add(Text(random, random.Next(longest + 1)));
            }

            commands.Add(new RespCommand(arguments));
        }

        if (random.Next(2) == 0)
        {
            var read = random.Next(1, entries + 1);
            commands.Add(RespCommand.Of("XGROUP", "CREATE", key, "group", "0"));
            commands.Add(ReadGroup(key, "a", read));
            if (read < entries)
            {
                commands.Add(ReadGroup(key, "b", 1)); // Who finds nothing has times that Redis knows since 7.2 alone.
            }

            commands.Add(RespCommand.Of("XACK", key, "group", ids[random.Next(entries)]));
        }

        for (var i = random.Next(entries); i > 0; i -= 3)
        {
            commands.Add(RespCommand.Of("XDEL", key, ids[i]));
        }

        return commands;
    }

    private static RespCommand ReadGroup(string key, string consumer, int count) => RespCommand.Of(
        "XREADGROUP", "GROUP", "group", consumer, "COUNT", count.ToString(CultureInfo.InvariantCulture), "STREAMS", key,
        ">");

    private static byte[] Integer(Random random)
    {
        var number = random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);
        return Bytes(number.ToString(CultureInfo.InvariantCulture));
    }

    private static string Score(Random random)
    {
        var score = random.Next(4) switch
        {
            0 => s_scores[random.Next(s_scores.Length)],
            1 => random.Next(-100, 100),
            2 => (random.NextInt64() >> random.Next(64)) * 1.0,
            _ => random.NextDouble() * random.Next(1, 1_000_000),
        };
        return double.IsInfinity(score)
            ? score > 0 ? "inf" : "-inf"
            : score.ToString("R", CultureInfo.InvariantCulture);
    }

    private static string VerbOf(string type, Random random) => type switch
    {
        "list" => random.Next(4) == 0 ? "LPUSH" : "RPUSH",
        "set" => "SADD",
        "zset" => "ZADD",
        _ => "HSET",
    };

    private static RespCommand Command(string verb, string key, byte[] value)
        => new([Bytes(verb), Bytes(key), value]);

    private static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);
}
