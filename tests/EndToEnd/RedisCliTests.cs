using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What redis-cli does besides sending commands: it looks over all keys, with whatever commands that takes,
/// and loads what it is given.</summary>
[TestFixture]
internal sealed class RedisCliTests
{
    private ServerProcess _strata = null!;
    private ServerProcess _redis = null!;

    [OneTimeSetUp]
    public void StartServers()
    {
        _redis = RedisProcess.Start();
        _strata = StrataProcess.Start();
        foreach (var server in (ServerProcess[])[_strata, _redis])
        {
            using var client = server.Connect();
            CallAll(
                client,
                [
                    .. Enumerable.Range(0, 300).Select(i => RespCommand.Of("SET", $"string:{i}", new('x', 9 * i))),
                    RespCommand.Of(["RPUSH", "list", .. Enumerable.Range(0, 500).Select(i => $"{i}")]),
                    RespCommand.Of(["SADD", "set", .. Enumerable.Range(0, 400).Select(i => $"member {i}")]),
                    RespCommand.Of(["HSET", "hash", .. Enumerable.Range(0, 200).Select(i => $"{i}")]),
                    RespCommand.Of("GEOADD", "places", "13.361389", "38.115556", "Palermo", "15", "37.5", "Catania"),
                    .. Enumerable.Range(1, 50).Select(i => RespCommand.Of("XADD", "stream", $"{i}-1", "field", "1")),
                    RespCommand.Of("PFADD", "hyperloglog", "a", "b"),
                ]);
        }
    }

    [OneTimeTearDown]
    public void StopServers()
    {
        _strata.Dispose();
        _redis.Dispose();
    }

    [Test]
    public void It_finds_the_biggest_keys_of_each_type()
        => Assert.That(SummaryOf(_strata, "--bigkeys"), Is.EqualTo(SummaryOf(_redis, "--bigkeys")));

    [Test]
    public void It_finds_the_keys_that_take_most_memory()
    {
        // How much they take is each server's own.
        var biggest = SummaryOf(_strata, "--memkeys")
            .Where(line => line.StartsWith("Biggest", StringComparison.Ordinal));
        Assert.That(
            biggest.Select(line => line[..line.IndexOf(" has ", StringComparison.Ordinal)]),
            Is.EqualTo(new[]
            {
                "Biggest   hash found '\"hash\"'",
                "Biggest   list found '\"list\"'",
                "Biggest    set found '\"set\"'",
                "Biggest stream found '\"stream\"'",
                "Biggest string found '\"string:299\"'",
                "Biggest   zset found '\"places\"'",
            }));
    }

    [Test]
    public void It_finds_the_hot_keys()
    {
        using var server = StrataProcess.Start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lfu");
        using var client = server.Connect();
        CallAll(client, [.. Enumerable.Range(0, 100).Select(i => RespCommand.Of("SET", $"key:{i}", "value"))]);
        CallAll(client, [.. Enumerable.Repeat(RespCommand.Of("GET", "key:77"), 5_000)]);
        var hottest = LinesOf(server, "--hotkeys")
            .First(line => line.StartsWith("hot key found with counter:", StringComparison.Ordinal));
        Assert.That(hottest, Does.EndWith("keyname: \"key:77\""));
    }

    [Test]
    public void It_scans_keys_by_pattern_and_type()
    {
        string[][] ways = [["--scan"], ["--scan", "--pattern", "string:1?"], ["--pattern", "*s", "--scan"]];
        foreach (var words in ways)
        {
            Assert.That(LinesOf(_strata, words), Is.EquivalentTo(LinesOf(_redis, words)), string.Join(' ', words));
        }
    }

    [Test]
    public void It_loads_commands_that_are_piped_to_it()
    {
        const int Commands = 20_000;
        using var server = StrataProcess.Start();
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllLines(file, Enumerable.Range(0, Commands).Select(i => $"SET piped:{i} {i}\r"));
            var (code, output) = ProgramRun.Run(
                "/bin/sh", ["-c", "exec \"$0\" -p \"$1\" --pipe < \"$2\"", Program(), PortOf(server), file]);
            Assert.That(output, Does.Contain($"errors: 0, replies: {Commands}"));
            Assert.That(code, Is.Zero);
            using var client = server.Connect();
            Assert.That(client.Call("DBSIZE").Text, Is.EqualTo($"{Commands}"));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Test]
    public void It_prints_replies_of_every_kind_as_redis_has_them()
    {
        foreach (var command in (string[])
            [
                "LRANGE list 0 9", "GEOPOS places Palermo Rome", "XRANGE stream - + COUNT 3",
                "GEOSEARCH places FROMLONLAT 15 37 BYRADIUS 200 km ASC WITHDIST", "PFCOUNT hyperloglog",
                "SMISMEMBER set x 1", "ZADD places INCR NX 1 Palermo", "XINFO STREAM missing", "GET list",
            ])
        {
            foreach (var protocol in (string[])["-2", "-3"])
            {
                string[] words = [protocol, .. command.Split(' ')];
                Assert.That(LinesOf(_strata, words), Is.EqualTo(LinesOf(_redis, words)), string.Join(' ', words));
            }
        }
    }

    private static void CallAll(RespConnection client, RespCommand[] commands)
    {
        client.Send(commands);
        foreach (var command in commands)
        {
            Assert.That(client.ReadReply().IsError, Is.False, $"{command}");
        }
    }

    private static List<string> SummaryOf(ServerProcess server, string word)
    {
        var lines = LinesOf(server, word);
        var start = lines.FindIndex(line => line.Contains("summary", StringComparison.Ordinal));
        Assert.That(start, Is.GreaterThanOrEqualTo(0), string.Join('\n', lines));

        // The order of types is that in which keys were met.
        return [.. lines.Skip(start + 1).Where(line => line.Length > 0).Order(SummaryOrder)];
    }

    /// <summary>By what is found, whatever is written before it to align it.</summary>
    private static Comparer<string> SummaryOrder { get; } = Comparer<string>.Create(
        static (left, right) => string.CompareOrdinal(Squeeze(left), Squeeze(right)));

    private static string Squeeze(string line)
        => new StringBuilder().AppendJoin(' ', line.Split(' ', StringSplitOptions.RemoveEmptyEntries)).ToString();

    private static List<string> LinesOf(ServerProcess server, params string[] words)
    {
        var (code, output) = ProgramRun.Run(Program(), ["-p", PortOf(server), .. words]);
        Assert.That(code, Is.Zero, output);
        return [.. output.Split('\n').Select(line => line.TrimEnd())];
    }

    private static string PortOf(ServerProcess server) => server.Port.ToString(CultureInfo.InvariantCulture);

    private static string Program()
    {
        if (ProgramRun.Find("redis-cli") is { } found)
        {
            return found;
        }

        Assert.Ignore("redis-cli isn't in PATH; install redis-tools to run this.");
        return "";
    }
}
