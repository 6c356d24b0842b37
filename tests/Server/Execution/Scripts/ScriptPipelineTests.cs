using NUnit.Framework;
using Strata.Server.Scripting;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>Scripts that follow each other in one pipeline, of which what repeats is not looked up again.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ScriptPipelineTests(int workers)
{
    // Spaces would part the words of a command.
    private const string ReturnOne = "return\t1";
    private const string NoScript = "-NOSCRIPT No matching script. Please use EVAL.";

    private static readonly string s_one = ShaOf(ReturnOne);

    private TurnServer _server = null!;
    private TurnClient _client = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers);
        _client = _server.Connect();
        _client.Expect([$"SCRIPT LOAD {ReturnOne}"], "$" + s_one);
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void One_that_is_forgotten_between_two_of_them_is_not_found_any_more()
        => _client.Expect(
            [$"EVALSHA {s_one} 0", $"EVALSHA {s_one} 0", "SCRIPT FLUSH", $"EVALSHA {s_one} 0", $"EVALSHA {s_one} 0"],
            ":1", ":1", "+OK", NoScript, NoScript);

    [Test]
    public void Each_is_the_one_that_it_names_behind_one_that_is_not_there()
    {
        var missing = ShaOf("return\t2");
        _client.Expect([$"EVALSHA {s_one} 0"], ":1");
        _client.Expect(
            [$"EVALSHA {missing} 0", $"EVALSHA {s_one} 0", $"EVALSHA {missing} 0", $"EVALSHA {s_one} 0"],
            NoScript, ":1", NoScript, ":1");
    }

    [Test]
    public void Each_is_the_one_that_it_names_behind_one_that_this_worker_has_not_compiled()
    {
        var other = _server.Connect();
        var two = ShaOf("return\t2");
        _client.Expect(["SCRIPT LOAD return\t2"], "$" + two);
        other.Expect([$"EVALSHA {s_one} 0"], ":1");
        other.Expect(
            [$"EVALSHA {two} 0", $"EVALSHA {s_one} 0", $"EVALSHA {two} 0", $"EVALSHA {s_one} 0"],
            ":2", ":1", ":2", ":1");
    }

    [Test]
    public void Each_has_its_own_keys_and_arguments()
    {
        var join = Joined("return table.concat(KEYS, '+') .. '=' .. table.concat(ARGV, '+')");
        var sha = ShaOf(join);
        _client.Expect([$"EVAL {join} 1 a b"], "$a=b");
        _client.Expect(
            [$"EVALSHA {sha} 1 a b", $"EVALSHA {sha} 1 c d", $"EVALSHA {sha} 1 ef g", $"EVALSHA {sha} 2 c d"],
            "$a=b", "$c=d", "$ef=g", "$c+d=");
        _client.Expect([$"EVALSHA {sha} 0 c d", $"EVALSHA {sha} 0 e f", $"EVALSHA {sha} 0"], "$=c+d", "$=e+f", "$=");
    }

    [Test]
    public void Wrong_numbers_of_keys_are_errors_behind_right_ones()
        => _client.Expect(
            [
                $"EVALSHA {s_one} 1 a", $"EVALSHA {s_one} 2 a", $"EVALSHA {s_one} -1 a", $"EVALSHA {s_one} x a",
                $"EVALSHA {s_one} 1 b",
            ],
            ":1",
            "-ERR Number of keys can't be greater than number of args",
            "-ERR Number of keys can't be negative",
            "-ERR value is not an integer or out of range",
            ":1");

    [Test]
    public void Those_of_a_transaction_are_queued()
        => _client.Expect(
            [$"EVALSHA {s_one} 0", "MULTI", $"EVALSHA {s_one} 0", $"EVALSHA {s_one} 0", "EXEC", $"EVALSHA {s_one} 0"],
            ":1", "+OK", "+QUEUED", "+QUEUED", "[:1 :1]", ":1");

    /// <summary>Where there is a tier, what EXEC will read is looked for before.</summary>
    [Test]
    public void Those_of_a_transaction_are_executed_in_its_order_alone()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(workers, change: null, device);
        var client = server.Connect();
        client.Expect(
            ["MULTI", $"EVALSHA {s_one} 0", $"EVAL_RO {ReturnOne} 0", $"EVALSHA_RO {s_one} 0", "EXEC"],
            "+OK", "+QUEUED", "+QUEUED", "+QUEUED", "[-NOSCRIPT :1 :1]");
    }

    [Test]
    public void One_that_uses_another_key_than_it_declares_goes_on_finding_it()
    {
        var swap = Joined("local v = redis.call('GET', ARGV[1]) redis.call('SET', KEYS[1], 'x') return v");
        var sha = ShaOf(swap);
        _client.Expect(["SET b 1", $"EVAL {swap} 1 a b"], "+OK", "$1");
        _client.Expect([$"EVALSHA {sha} 1 a b", $"EVALSHA {sha} 1 b a", $"EVALSHA {sha} 1 c b"], "$1", "$x", "$x");
    }

    [Test]
    public void Each_is_itself_when_memory_is_short_from_then_on()
    {
        _client.Expect([$"EVAL {ReturnOne} 0"], ":1");
        _server.Server.Context.Shards.Budget.LimitBytes = 1;
        _client.Expect(["EVAL return\t2 0", "EVAL return\t3 0", $"EVAL {ReturnOne} 0"], ":2", ":3", ":1");
    }

    [Test]
    public void A_key_without_bytes_is_one_like_others_whether_it_is_declared_or_not()
    {
        var get = Joined("return redis.call('GET', '')");
        _client.Expect(["SET  v", $"EVAL {get} 0", $"EVAL {get} 1 ", $"EVAL {get} 1 k"], "+OK", "$v", "$v", "$v");
    }

    [Test]
    public void The_commands_of_scripts_are_counted()
    {
        var count = Joined("for i = 1, 2 do redis.call('INCR', KEYS[1]) end return redis.call('GET', KEYS[1])");
        var failing = Joined("return redis.pcall('INCR', KEYS[1]).err");
        var sha = ShaOf(count);
        _client.Expect([$"EVAL {count} 1 n", $"EVALSHA {sha} 1 n", $"EVALSHA {sha} 1 n"], "$2", "$4", "$6");
        _client.Expect(
            ["SET t text", $"EVAL {failing} 1 t"], "+OK", "$ERR value is not an integer or out of range");
        var statistics = _client.Call("INFO commandstats")[0];

        Assert.That(statistics, Does.Match("cmdstat_incr:calls=7,.*failed_calls=1"));
        Assert.That(statistics, Does.Match("cmdstat_get:calls=3,.*failed_calls=0"));
        Assert.That(statistics, Does.Match("cmdstat_evalsha:calls=2,"));
    }

    [Test]
    public void Verbs_are_found_in_any_case_and_no_other_bytes_pass_for_them()
    {
        foreach (var verb in (string[])["eval", "EVAL", "EvAl", "eval_ro", "EVAL_RO", "Eval_rO"])
        {
            _client.Expect([$"{verb} {ReturnOne} 0"], ":1");
        }

        foreach (var verb in (string[])["EVAL\u007FRO", "eval\u007Fro", "GE\u0014", "\u0047\u0045", "evalrevalro"])
        {
            Assert.That(_client.Call($"{verb} {ReturnOne} 0")[0], Does.StartWith("-ERR unknown command"), verb);
        }
    }

    private static string Joined(string script) => script.Replace(' ', '\t');

    private static string ShaOf(string script)
        => ScriptId.Of(System.Text.Encoding.ASCII.GetBytes(script)).ToString();
}
