using System.Globalization;
using System.Text;
using Strata.Server.Commands;
using Strata.Server.Commands.Model;

namespace Strata.Tests.Support.Fuzzing;

/// <summary>What a client may send, be it friend or not: commands of all kinds, as RESP or as lines, right or changed
/// here and there.</summary>
internal static class RandomInput
{
    /// <summary>What would end the server, hold all clients up, change its settings, or write to a disk.</summary>
    private static readonly string[] s_leftOut =
    [
        "shutdown", "debug", "save", "bgsave", "bgrewriteaof", "config", "acl", "migrate", "failover", "client|pause",
        "client|kill",
    ];

    private static readonly CommandRow[] s_rows =
    [
        .. CommandList.Table.Rows
            .SelectMany(static row => row.Subcommands == null ? [row] : row.Subcommands.Rows)
            .Where(static row => !s_leftOut.Contains(row.FullName) && !s_leftOut.Contains(row.Container?.Name)),
    ];

    private static readonly string[] s_words =
    [
        "a", "b", "k", "0", "1", "-1", "2", "10", "4294967296", "9223372036854775807", "-9223372036854775808", "1.5",
        "inf", "nan", "(1", "[a", "-", "+", "*", "$", ">", "0-1", "", " ", "\0", "\xff", "return 1",
        "return redis.call('set', KEYS[1], 'v')", "#!lua name=l\nredis.register_function('f', function() end)",
    ];

    private static ReadOnlySpan<byte> Interesting => "*$\r\n-+0129 \"'\\x\0\xff"u8;

    /// <summary>Some commands one after the other, half of the time with changed bytes.</summary>
    public static byte[] Next(Random random)
    {
        var bytes = new List<byte>();
        for (var left = random.Next(1, 12); left > 0; left--)
        {
            var command = Command(random);
            bytes.AddRange(random.Next(4) == 0 ? Line(command, random) : RespCommand.Of([.. command]).Encode());
        }

        byte[] right = [.. bytes];
        return random.Next(2) == 0 ? right : Mutation.Of(right, random, Interesting);
    }

    private static List<string> Command(Random random)
    {
        var row = s_rows[random.Next(s_rows.Length)];
        List<string> words = row.Container == null ? [row.Name] : [row.Container.Name, row.Name];
        var count = Math.Abs(row.Arity) + (row.Arity < 0 ? random.Next(4) : 0) + (random.Next(8) == 0 ? 1 : 0);
        var tokens = row.Syntax.Split([' ', '|', '[', ']', '<', '>'], StringSplitOptions.RemoveEmptyEntries)
            .Where(static token => token.All(char.IsAsciiLetterUpper)).ToArray();
        while (words.Count < count)
        {
            words.Add(random.Next(3) == 0 && tokens.Length > 0
                ? tokens[random.Next(tokens.Length)]
                : random.Next(40) == 0
                    ? new string('x', random.Next(5_000))
                    : random.Next(8) == 0
                        ? random.Next(-100, 1000).ToString(CultureInfo.InvariantCulture)
                        : s_words[random.Next(s_words.Length)]);
        }

        return words;
    }

    private static byte[] Line(List<string> words, Random random)
    {
        var line = new StringBuilder();
        foreach (var word in words)
        {
            line.Append(line.Length == 0 ? "" : " ").Append(random.Next(3) switch
            {
                0 => Quoted(word),
                1 => $"'{word.Replace("'", "\\'", StringComparison.Ordinal)}'",
                _ => word,
            });
        }

        return Encoding.Latin1.GetBytes(line.Append(random.Next(2) == 0 ? "\n" : "\r\n").ToString());
    }

    private static string Quoted(string word)
    {
        var quoted = new StringBuilder("\"");
        foreach (var letter in word)
        {
            quoted.Append(letter is < ' ' or > '~' or '"' or '\\' ? $"\\x{(int)letter:x2}" : letter.ToString());
        }

        return quoted.Append('"').ToString();
    }
}
