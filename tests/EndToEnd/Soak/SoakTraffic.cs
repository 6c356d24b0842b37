using System.Globalization;
using System.Text;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>
/// Random commands on small values of every type, in two databases, many keys of which expire. What is read is checked
/// for being what was written under that key; no reply may be an error.
/// </summary>
internal static class SoakTraffic
{
    /// <summary>The databases that are used.</summary>
    public const int Databases = 2;

    private const int Batch = 25;
    private const int Strings = 60_000;
    private const int Collections = 4_000;
    private const int LongestTimeMs = 3_000;

    /// <summary>Sets all strings, which is more than the memory limit allows.</summary>
    public static void Fill(RespConnection connection)
    {
        var random = new Random(1);
        for (var first = 0; first < Strings; first += Batch)
        {
            Execute(connection, [.. Enumerable.Range(first, Batch).Select(
                i => new SoakCommand(Set($"string:{i}", random)))]);
        }
    }

    /// <summary>Sends a batch of commands and checks its replies.</summary>
    public static void Turn(RespConnection connection, Random random)
    {
        var commands = new List<SoakCommand> { SoakCommand.Of("SELECT", Text(random.Next(Databases))) };
        while (commands.Count < Batch)
        {
            Add(commands, random);
        }

        Execute(connection, commands);
    }

    /// <summary>Sends commands in one go and checks their replies.</summary>
    public static void Execute(RespConnection connection, IReadOnlyList<SoakCommand> commands)
    {
        using var bytes = new MemoryStream();
        foreach (var command in commands)
        {
            bytes.Write(command.Command.Encode());
        }

        connection.SendRaw(bytes.GetBuffer().AsSpan(0, (int)bytes.Length));
        foreach (var command in commands)
        {
            command.Check(connection.ReadReply());
        }
    }

    /// <summary>A number as an argument.</summary>
    public static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>What is wrong with the value of a field; null when nothing is.</summary>
    public static string? FieldProblem(string field, string value)
        => value.StartsWith(field + "=", StringComparison.Ordinal) ? null : $"the value of field {field} is {value}";

    private static void Add(List<SoakCommand> commands, Random random)
    {
        switch (random.Next(12))
        {
            case 0 or 1 or 2:
                commands.Add(OnString(random));
                break;
            case 3 or 4:
                commands.Add(OnHash(random));
                break;
            case 5 or 6:
                commands.Add(OnList(random));
                break;
            case 7 or 8:
                commands.Add(OnSet(random));
                break;
            case 9 or 10:
                commands.Add(OnSortedSet(random));
                break;
            default:
                AddOnAny(commands, random);
                break;
        }
    }

    private static SoakCommand OnString(Random random)
    {
        var key = $"string:{random.Next(Strings)}";
        return random.Next(10) switch
        {
            0 => SoakCommand.Of("INCR", $"counter:{random.Next(1000)}"),
            1 or 2 or 3 => new(RespCommand.Of("GET", key), reply =>
                reply.IsNull ? null : ChecksummedValue.Problem(key, reply.Bytes)),
            4 => new(new([.. Set(key, random).Arguments, "PX"u8.ToArray(), TimeMs(random)])),
            _ => new(Set(key, random)),
        };
    }

    private static RespCommand Set(string key, Random random)
    {
        var filler = random.Next(50) == 0 ? random.Next(40_000) : random.Next(2_000);
        return new(["SET"u8.ToArray(), Encoding.ASCII.GetBytes(key), ChecksummedValue.Make(key, filler, random)]);
    }

    private static byte[] TimeMs(Random random) => Encoding.ASCII.GetBytes(Text(random.Next(1, LongestTimeMs)));

    private static SoakCommand OnHash(Random random)
    {
        var (key, field) = (Name("hash", random), Element(random));
        return random.Next(8) switch
        {
            0 => SoakCommand.Of("HDEL", key, field, Element(random)),
            1 => new(RespCommand.Of("HGET", key, field), reply =>
                reply.IsNull ? null : FieldProblem(field, reply.Text)),
            2 => new(RespCommand.Of("HGETALL", key), reply =>
                reply.Items.Chunk(2).Select(pair => FieldProblem(pair[0].Text, pair[1].Text)).FirstOrDefault(
                    problem => problem != null)),
            3 => SoakCommand.Of("HPEXPIRE", key, Text(random.Next(1, LongestTimeMs)), "FIELDS", "1", field),
            4 => SoakCommand.Of("HRANDFIELD", key, "3", "WITHVALUES"),
            _ => SoakCommand.Of(["HSET", key, .. Elements(random).SelectMany(
                name => new[] { name, name + "=" + Filler(random) })]),
        };
    }

    private static SoakCommand OnList(Random random)
    {
        var key = Name("list", random);
        return random.Next(10) switch
        {
            0 => SoakCommand.Of("LPOP", key, Text(random.Next(1, 6))),
            1 => SoakCommand.Of("RPOP", key),
            2 => SoakCommand.Of("LRANGE", key, "0", "9"),
            3 => SoakCommand.Of("LTRIM", key, "0", "300"),
            4 => SoakCommand.Of("LMOVE", key, Name("list", random), "LEFT", "RIGHT"),
            5 => SoakCommand.Of("LINSERT", key, "BEFORE", Element(random), Filler(random)),
            6 or 7 => SoakCommand.Of(["LPUSH", key, .. Elements(random)]),
            _ => SoakCommand.Of(["RPUSH", key, .. Elements(random)]),
        };
    }

    private static SoakCommand OnSet(Random random)
    {
        var key = Name("set", random);
        return random.Next(8) switch
        {
            0 => SoakCommand.Of("SREM", key, Element(random), Element(random)),
            1 => SoakCommand.Of("SPOP", key, "2"),
            2 => SoakCommand.Of("SMOVE", key, Name("set", random), Element(random)),
            3 => SoakCommand.Of("SUNIONSTORE", key, Name("set", random), Name("set", random)),
            4 => SoakCommand.Of("SINTER", key, Name("set", random)),
            _ => SoakCommand.Of(["SADD", key, .. Elements(random)]),
        };
    }

    private static SoakCommand OnSortedSet(Random random)
    {
        var key = Name("zset", random);
        return random.Next(8) switch
        {
            0 => SoakCommand.Of("ZREM", key, Element(random), Element(random)),
            1 => SoakCommand.Of("ZPOPMIN", key, "2"),
            2 => SoakCommand.Of("ZINCRBY", key, Text(random.Next(-50, 50)), Element(random)),
            3 => SoakCommand.Of("ZUNIONSTORE", key, "2", Name("zset", random), Name("zset", random)),
            4 => SoakCommand.Of("ZRANGE", key, "100", "(500", "BYSCORE", "LIMIT", "0", "10", "WITHSCORES"),
            _ => SoakCommand.Of(["ZADD", key, .. Elements(random).SelectMany(
                name => new[] { Text(random.Next(1000)), name })]),
        };
    }

    private static void AddOnAny(List<SoakCommand> commands, Random random)
    {
        string[] types = ["hash", "list", "set", "zset"];
        var type = types[random.Next(types.Length)];
        var key = random.Next(3) == 0 ? $"string:{random.Next(Strings)}" : Name(type, random);
        switch (random.Next(8))
        {
            case 0:
                commands.Add(SoakCommand.Of("UNLINK", key));
                break;
            case 1:
                commands.Add(SoakCommand.OfTwo("COPY", Name(type, random), Name(type, random), "REPLACE"));
                break;
            case 2:
                commands.Add(SoakCommand.OfTwo("MOVE", key, Text(random.Next(Databases))));
                break;
            case 3:
                commands.Add(SoakCommand.Of("PERSIST", key));
                break;
            case 4:
                commands.Add(SoakCommand.Of("MULTI"));
                commands.AddRange([OnString(random), OnHash(random), OnList(random), OnSet(random),
                    OnSortedSet(random)]);
                for (var i = commands.Count - 5; i < commands.Count; i++)
                {
                    commands[i] = new SoakCommand(commands[i].Command, reply =>
                        reply.Text == "QUEUED" ? null : "was not queued");
                }

                commands.Add(new SoakCommand(RespCommand.Of("EXEC"), reply =>
                    reply.Items.Count == 5 ? null : "has not executed all"));
                break;
            default:
                commands.Add(SoakCommand.Of("PEXPIRE", key, Text(random.Next(1, LongestTimeMs))));
                break;
        }
    }

    private static string Name(string type, Random random) => $"{type}:{random.Next(Collections)}";

    private static string Element(Random random) => $"element {random.Next(500)}";

    private static string[] Elements(Random random)
        => [.. Enumerable.Range(0, random.Next(20) == 0 ? 100 : random.Next(1, 8)).Select(_ => Element(random))];

    private static string Filler(Random random) => new('.', random.Next(random.Next(30) == 0 ? 2000 : 60));
}
