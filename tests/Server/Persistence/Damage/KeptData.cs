using System.Globalization;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Persistence.Damage;

/// <summary>Data of every type, of small and large values, which a server is filled with; what each key must answer
/// later; and a tail of changes one by one, of which a later server may have the first alone.</summary>
internal sealed class KeptData
{
    private const int Tail = 30;
    private const long FarMs = 4_102_444_800_000;

    private readonly List<(int Database, RespCommand Question, RespValue Answer)> _answers = [];
    private readonly List<(int Database, string Key, string Type)> _keys = [];

    /// <summary>Fills a server, before its journal is rewritten.</summary>
    public static void Fill(RespConnection connection)
    {
        Send(connection, Strings("").Concat(Lists()).Concat(Sets()).Concat(SortedSets()).Concat(Hashes()));
        Send(connection, [RespCommand.Of("SELECT", "5"), .. Strings("five"), RespCommand.Of("SWAPDB", "5", "9")]);
        Send(connection, [RespCommand.Of("SELECT", "0")]);
    }

    /// <summary>Writes more, which stays in memory.</summary>
    public static void FillMemory(RespConnection connection)
        => Send(connection, Enumerable.Range(0, 30).Select(
            static i => RespCommand.Of("SET", $"hot:{i}", Text($"hot {i}", 200))));

    /// <summary>Changes some, behind the base.</summary>
    public static void Change(RespConnection connection)
    {
        for (var i = 0; i < 40; i += 4)
        {
            Send(connection,
            [
                RespCommand.Of("SET", $"middle:{i}", Text($"changed {i}", 700)),
                RespCommand.Of("DEL", $"middle:{i + 1}"),
                RespCommand.Of("APPEND", $"middle:{i + 2}", "appended"),
                RespCommand.Of("HSET", $"hash:{i % 4}", $"field:{i}", "changed"),
                RespCommand.Of("LPUSH", $"list:{i % 4}", $"first {i}"),
                RespCommand.Of("PEXPIREAT", $"small:{i}", $"{FarMs + i}"),
            ]);
        }

        Send(connection, [RespCommand.Of("COPY", "large:1", "large:copy"), RespCommand.Of("RENAME", "set:1", "set:9")]);
    }

    /// <summary>Makes the changes of the tail, each of which is on the disk before the next.</summary>
    public static void WriteTail(RespConnection connection)
    {
        for (var i = 0; i < Tail; i++)
        {
            Send(connection, [RespCommand.Of("SET", $"tail:{i}", $"{i}"), RespCommand.Of("INCR", "tail")]);
        }
    }

    /// <summary>Asks for everything but the tail, and notes the answers.</summary>
    public void Note(RespConnection connection)
    {
        foreach (var database in new[] { 0, 9 })
        {
            Send(connection, [RespCommand.Of("SELECT", $"{database}")]);
            foreach (var key in connection.Call("KEYS", "*").Items.Select(static item => item.Text))
            {
                if (!key.StartsWith("tail", StringComparison.Ordinal))
                {
                    _keys.Add((database, key, connection.Call("TYPE", key).Text));
                }
            }
        }

        foreach (var (database, key, type) in _keys)
        {
            Send(connection, [RespCommand.Of("SELECT", $"{database}")]);
            foreach (var question in Questions(key, type))
            {
                _answers.Add((database, question, Comparable(connection.Call(question))));
            }
        }
    }

    /// <summary>Asks a later server the same.</summary>
    /// <param name="connection">The server.</param>
    /// <param name="errors">Answers that were an error of their key.</param>
    /// <param name="isCut">Whether the tail's end is missing.</param>
    /// <returns>The first wrong answer; null where there is none.</returns>
    public string? FirstWrong(RespConnection connection, out int errors, out bool isCut)
    {
        errors = 0;
        isCut = false;
        string? wrong = null;
        foreach (var some in _answers.Chunk(100))
        {
            var asked = some.SelectMany(static one => new[]
            {
                RespCommand.Of("SELECT", one.Database.ToString(CultureInfo.InvariantCulture)), one.Question,
            });
            connection.Send(asked);
            foreach (var (_, question, answer) in some)
            {
                _ = connection.ReadReply();
                var reply = connection.ReadReply();
                var isError = reply.IsError && reply.Text.StartsWith("IOERR", StringComparison.Ordinal);
                errors += isError ? 1 : 0;
                wrong ??= isError || Comparable(reply).Equals(answer) ? null : Difference(question, reply, answer);
            }
        }

        return wrong ?? WrongOfTail(connection, ref errors, out isCut);
    }

    private static string Difference(RespCommand question, RespValue reply, RespValue answer)
        => $"{question} answers {Shorten(reply)}, and not {Shorten(answer)}";

    private static string Shorten(RespValue reply) => reply.ToString() is { Length: > 200 } text
        ? string.Concat(text.AsSpan(0, 200), "...")
        : reply.ToString();

    private static string? WrongOfTail(RespConnection connection, ref int errors, out bool isCut)
    {
        Send(connection, [RespCommand.Of("SELECT", "0")]);
        var count = connection.Call("GET", "tail");
        isCut = false;
        if (count.IsError)
        {
            errors++;
            return null;
        }

        var there = count.IsNull ? 0 : count.Integer;
        isCut = there < Tail;
        for (var i = 0; i < Tail; i++)
        {
            var reply = connection.Call("GET", $"tail:{i}");
            if (!reply.IsError && (reply.IsNull ? i < there : i > there || reply.Text != $"{i}"))
            {
                return $"tail:{i} is {reply}, of {there}";
            }

            errors += reply.IsError ? 1 : 0;
        }

        return null;
    }

    /// <summary>What has no order of its own is put into one.</summary>
    private static RespValue Comparable(RespValue reply) => reply.Sorted(arraysToo: true);

    private static IEnumerable<RespCommand> Questions(string key, string type)
    {
        yield return RespCommand.Of("TYPE", key);
        yield return RespCommand.Of("PEXPIRETIME", key);
        switch (type)
        {
            case "string":
                yield return RespCommand.Of("GET", key);
                yield return RespCommand.Of("STRLEN", key);
                yield return RespCommand.Of("EXISTS", key);
                break;
            case "list":
                yield return RespCommand.Of("LRANGE", key, "0", "-1");
                yield return RespCommand.Of("LINDEX", key, "0");
                yield return RespCommand.Of("LINDEX", key, "-1");
                break;
            case "set":
                yield return RespCommand.Of("SMEMBERS", key);
                break;
            case "zset":
                yield return RespCommand.Of("ZRANGE", key, "0", "-1", "WITHSCORES");
                break;
            default:
                yield return RespCommand.Of("HGETALL", key);
                yield return RespCommand.Of("HLEN", key);
                yield return RespCommand.Of("HPEXPIRETIME", key, "FIELDS", "3", "field:0", "field:7", "none");
                break;
        }
    }

    private static IEnumerable<RespCommand> Strings(string word)
    {
        for (var i = 0; i < 40; i++)
        {
            yield return RespCommand.Of("SET", $"{word}small:{i}", Text($"{word}{i}", 10));
            yield return RespCommand.Of("SET", $"{word}number:{i}", $"{i * 1000}");
            yield return RespCommand.Of("SET", $"{word}middle:{i}", Text($"{word}{i}", 100 + (i * 60)));
            yield return RespCommand.Of("SET", $"{word}expires:{i}", Text($"{word}{i}", 30), "PXAT", $"{FarMs + i}");
        }

        for (var i = 0; i < 6; i++)
        {
            yield return RespCommand.Of("SET", $"{word}large:{i}", Text($"{word}{i}", 20_000 + (i * 3000)));
        }

        yield return RespCommand.Of("SET", $"{word}huge", Text($"{word}huge", 1_200_000));
        yield return RespCommand.Of("SET", $"{word}{new string('k', 3000)}", Text($"{word}long key", 5000));
    }

    private static IEnumerable<RespCommand> Lists() => Numbers(4, i => i % 2 == 0 ? 6 : 600)
        .Select(static at => RespCommand.Of("RPUSH", $"list:{at.Key}", Text($"{at.Element}", 30)));

    private static IEnumerable<RespCommand> Sets() => Numbers(4, i => i % 2 == 0 ? 6 : 600)
        .Select(static at => RespCommand.Of(
            "SADD", $"set:{at.Key}", at.Key < 2 ? Text($"{at.Element}", 30) : $"{at.Element}"));

    private static IEnumerable<RespCommand> SortedSets() => Numbers(4, i => i % 2 == 0 ? 6 : 600)
        .Select(static at => RespCommand.Of(
            "ZADD", $"sorted:{at.Key}", $"{at.Element}.5", Text($"{at.Element}", 30)));

    private static IEnumerable<RespCommand> Hashes() => Numbers(4, i => i % 2 == 0 ? 12 : 600)
        .SelectMany(static at => new[]
        {
            RespCommand.Of("HSET", $"hash:{at.Key}", $"field:{at.Element}", Text($"{at.Element}", 30)),
            at.Element % 7 == 0
                ? RespCommand.Of("HPEXPIREAT", $"hash:{at.Key}", $"{FarMs}", "FIELDS", "1", $"field:{at.Element}")
                : RespCommand.Of("PING"),
        });

    private static IEnumerable<(int Key, int Element)> Numbers(int keys, Func<int, int> elements)
        => Enumerable.Range(0, keys).SelectMany(
            key => Enumerable.Range(0, elements(key)).Select(element => (key, element)));

    /// <summary>Text that says what it is in every place.</summary>
    private static string Text(string what, int length)
        => string.Concat(Enumerable.Repeat($"{what};", (length / (what.Length + 1)) + 1))[..length];

    private static void Send(RespConnection connection, IEnumerable<RespCommand> commands)
    {
        foreach (var some in commands.Chunk(100))
        {
            connection.Send(some);
            foreach (var command in some)
            {
                var reply = connection.ReadReply();
                if (reply.IsError)
                {
                    throw new InvalidOperationException($"{command} answers {reply}");
                }
            }
        }
    }
}
