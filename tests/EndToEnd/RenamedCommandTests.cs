using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>rename-command beside redis-server 7.0.15: one conf file, as a host that many share has it, for both, and
/// every reply is compared.</summary>
public sealed class RenamedCommandTests
{
    private const string Config = "b840fc02d524045429941cc15f59e41cb7be6c52";

    private const string Conf = $"""
        # What could harm others has a name that the owner alone knows, or none.
        rename-command CONFIG {Config}
        rename-command FLUSHALL ""
        Rename-Command flushdb ''
        rename-command KEYS ""
        rename-command DEBUG ""
        rename-command SHUTDOWN ""
        rename-command REPLICAOF ""
        rename-command SLAVEOF ""
        rename-command EVAL ""
        rename-command ACL rights
        rename-command COMMAND Commands
        rename-command CLIENT "who is \xe9 here, then"
        rename-command MONITOR watch-all
        rename-command SLOWLOG slow
        rename-command MULTI begin
        # Names may be given away.
        rename-command SET write
        rename-command GET SET
        rename-command DEL interim
        rename-command interim del
        save ""

        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("strata-renamed-").FullName;
    private readonly List<ServerProcess> _servers = [];
    private readonly List<RespConnection> _clients = [];

    [OneTimeSetUp]
    public void StartServers()
    {
        foreach (var kind in new[] { ServerKind.Redis, ServerKind.Strata })
        {
            var server = ServerProcess.Start(kind, [ServerProcess.ProgramOf(kind), ConfOf(kind, Conf)], []);
            _servers.Add(server);
            _clients.Add(server.Connect());
        }
    }

    [OneTimeTearDown]
    public void StopServers()
    {
        _clients.ForEach(client => client.Dispose());
        _servers.ForEach(server => server.Dispose());
        Directory.Delete(_folder, recursive: true);
    }

    [TestCase("CONFIG", "GET", "maxmemory")]
    [TestCase(Config, "GET", "maxmemory")]
    [TestCase("B840FC02D524045429941CC15f59e41cb7be6c52", "get", "maxmemory")]
    [TestCase(Config, "NOPE")]
    [TestCase(Config, "SET")]
    [TestCase(Config)]
    [TestCase("FLUSHALL")]
    [TestCase("flushdb", "async")]
    [TestCase("KEYS", "*")]
    [TestCase("DEBUG", "SLEEP", "0")]
    [TestCase("interim", "k")]
    [TestCase("DEL", "k", "other")]
    [TestCase("WRITE", "k")]
    [TestCase("Write", "k", "v", "EX", "nonsense")]
    [TestCase("SET", "k", "v")]
    [TestCase("GET", "k")]
    [TestCase("rights", "SETUSER", "one", "+write")]
    [TestCase("rights", "SETUSER", "one", "+" + Config)]
    [TestCase("rights", "SETUSER", "one", "-@all", "+set", "+flushall", "+config|get", "~*")]
    [TestCase("rights", "SETUSER")]
    [TestCase("rights", "CAT", "nonsense")]
    [TestCase("rights", "NOPE")]
    [TestCase("commands", "GETKEYS", "write", "a", "b")]
    [TestCase("commands", "GETKEYS", "set", "a", "b")]
    [TestCase("commands", "GETKEYS", "get", "a")]
    [TestCase("commands", "LIST", "FILTERBY", "PATTERN", "config*")]
    [TestCase("commands", "LIST", "FILTERBY", "PATTERN", "flush*")]
    [TestCase("commands", "LIST", "FILTERBY", "PATTERN", "write")]
    [TestCase("who is \u00e9 here, then", "GETNAME")]
    [TestCase("WHO IS \u00e9 HERE, then", "GETNAME")]
    [TestCase("who is \u00c9 here, then", "GETNAME")]
    [TestCase("who is \u00e9 here, then", "NOPE")]
    [TestCase("who is \u00e9 here, then", "KILL", "a", "b", "c")]
    [TestCase("slow", "GET", "nonsense")]
    [TestCase("slow", "NOPE")]
    public void A_command_has_the_same_answer(params string[] command)
        => AssertSame(
            client => client.Call(command).Sorted(arraysToo: command[0] == "commands"), string.Join(' ', command));

    [Test]
    public void What_was_renamed_works_by_its_new_name()
    {
        AssertSame(client =>
        {
            Assert.That(client.Call("WRITE", "k", "v").Text, Is.EqualTo("OK"));
            Assert.That(client.Call("SET", "k").Text, Is.EqualTo("v"), "which is GET");
            return client.Call("DEL", "k");
        });
    }

    [Test]
    public void Help_is_of_the_name_that_was_sent()
        => AssertSame(client => RespValue.Array(
            client.Call(Config, "HELP").Items[0], client.Call("slow", "HELP").Items[0],
            client.Call("who is \u00e9 here, then", "HELP").Items[0]));

    [Test]
    public void Pipelined_commands_go_by_the_new_names_too()
    {
        AssertSame(client =>
        {
            client.Send(Enumerable.Range(0, 50).SelectMany(i => new[]
            {
                RespCommand.Of("WRITE", $"k{i}", $"{i}"), RespCommand.Of("SET", $"k{i}"), RespCommand.Of("GET", "k"),
            }));
            return RespValue.Array([.. Enumerable.Range(0, 150).Select(_ => client.ReadReply())]);
        });
    }

    [Test]
    public void Users_rules_are_of_commands_whatever_they_are_called()
    {
        AssertSame(client => RespValue.Array(
            client.Call("rights", "SETUSER", "ruled", "on", "nopass", "~*", "-@all", "+set", "+config|get"),
            client.Call("rights", "DRYRUN", "ruled", "write", "k", "v"),
            Refusal(client.Call("rights", "DRYRUN", "ruled", "set", "k")),
            client.Call("rights", "DRYRUN", "ruled", "get", "k"),
            client.Call("rights", "DRYRUN", "ruled", "config", "get", "port"),
            client.Call("rights", "DRYRUN", "ruled", Config, "get", "port"),
            Refusal(client.Call("rights", "DRYRUN", "ruled", Config, "set", "port", "1")),
            RespValue.Array([.. client.Call("rights", "GETUSER", "ruled").Field("commands")!.Text.Split(' ').Order()
                .Select(RespValue.Simple)])));
        AssertSame(client => RespValue.Number(
            client.Call("rights", "CAT", "dangerous").Items.Count(item => item.Text is "flushall" or "config|set")));
    }

    [Test]
    public void A_refusal_names_the_command_as_rules_do()
    {
        AssertSame((server, client) =>
        {
            client.Call("rights", "SETUSER", "poor", "on", "nopass", "~*", "-@all", "+ping");
            client.Call("rights", "LOG", "RESET");
            using var poor = server.Connect();
            poor.Call("AUTH", "poor", "any");
            var refusal = Refusal(poor.Call("WRITE", "k", "v"));
            var entry = client.Call("rights", "LOG").Items[0];
            return RespValue.Array(refusal, poor.Call("CONFIG", "GET", "x"), entry.Field("object")!);
        });
    }

    [Test]
    public void Scripts_see_the_same_names_as_clients()
    {
        AssertSame(client => client.Call("EVAL", "return 1", "0"));
        AssertSame(client =>
        {
            string Load(string body) => client.Call("SCRIPT", "LOAD", body).Text;
            return RespValue.Array(
                client.Call("EVALSHA", Load("return redis.call('write', KEYS[1], 'x')"), "1", "s"),
                client.Call("EVALSHA", Load("return redis.call('set', KEYS[1])"), "1", "s"),
                client.Call("EVALSHA", Load("return redis.call('get', KEYS[1])"), "1", "s"),
                client.Call("EVALSHA", Load("return redis.pcall('flushall')"), "0"),
                client.Call("EVALSHA", Load("return redis.acl_check_cmd('write', 'k', 'v') and 1 or 0"), "0"));
        });
    }

    [Test]
    public void Counters_are_of_the_commands_and_logs_of_what_was_sent()
    {
        AssertSame((server, client) =>
        {
            client.Call("WRITE", "k", "v");
            client.Call(Config, "SET", "slowlog-log-slower-than", "0");
            client.Call("WRITE", "k", "slow");
            client.Call(Config, "SET", "slowlog-log-slower-than", "-1");
            var arguments = client.Call("slow", "GET").Items.Select(entry => entry.Items[3]);
            using var monitor = server.Connect();
            monitor.Call("watch-all");
            client.Call("WRITE", "k", "seen");
            var line = monitor.ReadReply().Text;
            var statistics = client.Call("INFO", "commandstats").Text;
            return RespValue.Array(
                arguments.First(entry => entry.Items[0].Text == "WRITE"),
                RespValue.Simple(line[line.IndexOf(']')..]),
                RespValue.Simple($"{statistics.Contains("cmdstat_set:", StringComparison.Ordinal)}"),
                RespValue.Simple($"{statistics.Contains("cmdstat_config|set:", StringComparison.Ordinal)}"),
                RespValue.Simple($"{statistics.Contains("write", StringComparison.Ordinal)}"),
                client.Call("LATENCY", "HISTOGRAM", "write").Items[0],
                client.Call("LATENCY", "HISTOGRAM", "flushall"));
        });
    }

    [Test]
    public void Descriptions_are_found_by_the_new_name_and_tell_the_old_one()
    {
        AssertSame(client => RespValue.Array([.. client
            .Call("commands", "INFO", "write", "set", "get", "flushall", "config|get", Config + "|get").Items
            .Select(item => item.IsNull ? item : item.Items[0])]));
        AssertSame(client => RespValue.Array(
            [.. client.Call("commands", "DOCS", "write", "get", "flushall").Items.Where((_, i) => i % 2 == 0)]));
        AssertSame(client => RespValue.Number(
            client.Call("commands", "LIST").Items.Count(item => item.Text is "set" or "get" or "keys" or "write")));
    }

    [Test]
    public void A_transaction_begins_by_the_new_name()
        => AssertSame(client => RespValue.Array(
            client.Call("MULTI"), client.Call("begin"), client.Call("WRITE", "k", "1"), client.Call("GET", "k"),
            client.Call("EXEC")));

    [Test]
    public void A_rewrite_of_the_conf_keeps_the_lines()
    {
        for (var i = 0; i < _servers.Count; i++)
        {
            Assert.That(_clients[i].Call(Config, "REWRITE").Text, Is.EqualTo("OK"));
            var lines = File.ReadAllLines(PathOf(_servers[i].Kind), System.Text.Encoding.Latin1);
            Assert.That(
                lines.Where(line => line.StartsWith("rename-command", StringComparison.OrdinalIgnoreCase)),
                Is.EqualTo(Conf.Split('\n').Where(
                    line => line.StartsWith("rename-command", StringComparison.OrdinalIgnoreCase))));
        }
    }

    [TestCase("rename-command NOPE other", "No such command in rename-command")]
    [TestCase("rename-command GET SET", "Target command name already exists")]
    [TestCase("rename-command REPLICAOF GET", "Target command name already exists")]
    [TestCase("rename-command GET a\nrename-command SET A", "Target command name already exists")]
    [TestCase("rename-command GET \"\"\nrename-command GET a", "No such command in rename-command")]
    [TestCase("rename-command GET a\nrename-command GET b", "No such command in rename-command")]
    [TestCase("rename-command GET", "wrong number of arguments")]
    public void A_wrong_line_ends_the_start(string lines, string reason)
    {
        foreach (var kind in new[] { ServerKind.Redis, ServerKind.Strata })
        {
            var conf = Path.Combine(_folder, "wrong.conf");
            File.WriteAllText(conf, lines + "\n");
            using var server = ServerProcess.Launch(kind, [ServerProcess.ProgramOf(kind), conf], []);
            Assert.That(server.WaitForExit(), Is.EqualTo(1));
            Assert.That(() => server.Output,
                Does.Contain(reason).And.Contain($"line {lines.Count(c => c == '\n') + 1}").After(Patience.Ms, 10));
        }
    }

    [Test]
    public void A_flag_renames_too()
    {
        foreach (var kind in new[] { ServerKind.Redis, ServerKind.Strata })
        {
            using var server = ServerProcess.Start(
                kind, "--rename-command", "CONFIG", "", "--rename-command", "GET", "fetch");
            using var client = server.Connect();
            Assert.That(client.Call("CONFIG", "GET", "port").Text, Does.StartWith("ERR unknown command 'CONFIG'"));
            Assert.That(client.Call("FETCH", "k").IsNull);
        }
    }

    /// <summary>Who is refused is told in other words by Redis 7.0 than by later ones.</summary>
    private static RespValue Refusal(RespValue reply)
        => RespValue.Simple(reply.Text[reply.Text.IndexOf(" has no permissions", StringComparison.Ordinal)..]);

    private string PathOf(ServerKind kind) => Path.Combine(_folder, $"{kind}.conf");

    private string ConfOf(ServerKind kind, string text)
    {
        File.WriteAllText(PathOf(kind), text);
        return PathOf(kind);
    }

    private void AssertSame(Func<RespConnection, RespValue> ask, string message = "")
        => AssertSame((_, client) => ask(client), message);

    private void AssertSame(Func<ServerProcess, RespConnection, RespValue> ask, string message = "")
    {
        var expected = ask(_servers[0], _clients[0]);
        Assert.That(ask(_servers[1], _clients[1]), Is.EqualTo(expected), message);
    }
}
