using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Server;

/// <summary>DEBUG's subcommands that clients' own tests use, and what a server alone refuses.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
internal sealed class DebugTests(ServerKind kind)
{
    private ServerProcess? _server;
    private RespConnection? _connection;

    private ServerProcess Server => _server!;

    [OneTimeSetUp]
    public void Start() => _server = ServerProcess.Start(kind, "--enable-debug-command", "yes");

    [OneTimeTearDown]
    public void Stop() => _server?.Dispose();

    [SetUp]
    public void Connect() => _connection = Server.Connect();

    [TearDown]
    public void Disconnect() => _connection?.Dispose();

    [TestCase("string", "$11\r\nHello World\r\n", null)]
    [TestCase("Integer", ":12345\r\n", null)]
    [TestCase("double", "$5\r\n3.141\r\n", ",3.141\r\n")]
    [TestCase("bignum", "$37\r\n1234567999999999999999999999999999999\r\n",
        "(1234567999999999999999999999999999999\r\n")]
    [TestCase("null", "$-1\r\n", "_\r\n")]
    [TestCase("array", "*3\r\n:0\r\n:1\r\n:2\r\n", null)]
    [TestCase("set", "*3\r\n:0\r\n:1\r\n:2\r\n", "~3\r\n:0\r\n:1\r\n:2\r\n")]
    [TestCase("map", "*6\r\n:0\r\n:0\r\n:1\r\n:1\r\n:2\r\n:0\r\n", "%3\r\n:0\r\n#f\r\n:1\r\n#t\r\n:2\r\n#f\r\n")]
    [TestCase("true", ":1\r\n", "#t\r\n")]
    [TestCase("false", ":0\r\n", "#f\r\n")]
    [TestCase("verbatim", "$25\r\nThis is a verbatim\nstring\r\n", "=29\r\ntxt:This is a verbatim\nstring\r\n")]
    [TestCase("attrib", "$39\r\nSome real reply following the attribute\r\n",
        "|1\r\n$14\r\nkey-popularity\r\n*2\r\n$7\r\nkey:123\r\n:90\r\n"
        + "$39\r\nSome real reply following the attribute\r\n")]
    [TestCase("push", "-ERR RESP2 is not supported by this command\r\n",
        ">2\r\n$16\r\nserver-cpu-usage\r\n:42\r\n$40\r\nSome real reply following the push reply\r\n")]
    [TestCase("junk", "-ERR Wrong protocol type name. Please use one of the following: "
        + "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false\r\n", null)]
    public void Each_type_of_the_protocol_is_answered(string type, string resp2, string? resp3)
    {
        _connection!.SendRaw($"DEBUG PROTOCOL {type}\r\nQUIT\r\n");
        Assert.That(_connection.ReadToEnd(), Is.EqualTo(Bytes(resp2 + "+OK\r\n")));
        using var connection = Server.Connect();
        _ = connection.Call("HELLO", "3");
        connection.SendRaw($"DEBUG PROTOCOL {type}\r\nQUIT\r\n");
        Assert.That(connection.ReadToEnd(), Is.EqualTo(Bytes((resp3 ?? resp2) + "+OK\r\n")));
    }

    [TestCase("'MINE some text'", "-MINE some text\r\n")]
    [TestCase("\"two\\r\\nlines\"", "-two  lines\r\n")]
    [TestCase("\"\"", "-\r\n")]
    public void An_error_is_answered_as_it_is_given(string text, string reply)
    {
        _connection!.SendRaw($"DEBUG ERROR {text}\r\nQUIT\r\n");
        Assert.That(_connection.ReadToEnd(), Is.EqualTo(Bytes(reply + "+OK\r\n")));
    }

    [Test]
    public void Keys_are_made_and_those_that_are_there_stay()
    {
        _connection!.Call("FLUSHALL");
        _connection.Call("RPUSH", "n:1", "a");
        Assert.That(_connection.Call("DEBUG", "POPULATE", "1000").Text, Is.EqualTo("OK"));
        Assert.That(_connection.Call("DEBUG", "POPULATE", "3", "n").Text, Is.EqualTo("OK"));
        Assert.That(_connection.Call("DEBUG", "POPULATE", "3", "s", "10").Text, Is.EqualTo("OK"));
        Assert.That(_connection.Call("DEBUG", "POPULATE", "1", "t", "3").Text, Is.EqualTo("OK"));
        Assert.That(_connection.Call("DBSIZE").Integer, Is.EqualTo(1007));
        Assert.That(_connection.Call("GET", "key:0").Text, Is.EqualTo("value:0"));
        Assert.That(_connection.Call("GET", "key:999").Text, Is.EqualTo("value:999"));
        Assert.That(_connection.Call("TYPE", "n:1").Text, Is.EqualTo("list"));
        Assert.That(_connection.Call("GET", "s:2").Text, Is.EqualTo("value:2\0\0\0"));
        Assert.That(_connection.Call("GET", "t:0").Text, Is.EqualTo("val"));
        Assert.That(_connection.Call("DEBUG", "POPULATE", "x").Text, Is.EqualTo(
            kind == ServerKind.Redis
                ? "ERR value is out of range, must be positive" : "ERR value is not an integer or out of range"));
        Assert.That(_connection.Call("DEBUG", "POPULATE", "-1").Text,
            Is.EqualTo("ERR value is out of range, must be positive"));
        _connection.Call("FLUSHALL");
    }

    [Test]
    public void A_payload_with_a_wrong_checksum_may_be_restored()
    {
        _connection!.Call("SET", "a", "v");
        var payload = _connection.Call("DUMP", "a").Text[..^8] + "12345678";
        const string Wrong = "ERR DUMP payload version or checksum are wrong";
        Assert.That(_connection.Call("RESTORE", "a", "0", payload, "REPLACE").Text, Is.EqualTo(Wrong));
        Assert.That(_connection.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1").Text, Is.EqualTo("OK"));
        Assert.That(_connection.Call("RESTORE", "a", "0", payload, "REPLACE").Text, Is.EqualTo("OK"));
        Assert.That(_connection.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "0").Text, Is.EqualTo("OK"));
        Assert.That(_connection.Call("RESTORE", "a", "0", payload, "REPLACE").Text, Is.EqualTo(Wrong));
    }

    [TestCase("SET a hello", "embstr", 6)]
    [TestCase("SET a 12", "int", 2)]
    [TestCase("SET a ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "raw", 53)] // Not to be compressed.
    [TestCase("SADD a 1 2 3", "intset", 15)]
    public void An_object_is_described(string command, string encoding, int bytes)
    {
        _connection!.Call("DEL", "a");
        _connection.Call(command.Split(' '));
        var text = _connection.Call("DEBUG", "OBJECT", "a").Text;
        Assert.That(text, Does.StartWith("Value at:0x"));
        Assert.That(text, Does.Contain($" refcount:1 encoding:{encoding} serializedlength:{bytes} lru:")
            .Or.Contain($" refcount:2147483647 encoding:{encoding} serializedlength:{bytes} lru:")); // Shared integers.
        Assert.That(text, Does.Contain(" lru_seconds_idle:"));
    }

    [TestCase("ZADD a 1.5 one -inf two")]
    [TestCase("HSET a field value")]
    [TestCase("SADD a one")]
    public void A_small_collection_is_logged(string command)
    {
        _connection!.Call("DEL", "a");
        _connection.Call(command.Split(' '));
        if (_connection.Call("OBJECT", "ENCODING", "a").Text != "listpack")
        {
            Assert.That((kind, command), Is.EqualTo((ServerKind.Redis, "SADD a one")));
            Assert.Ignore("Sets are listpacks since Redis 7.2.");
        }

        var reply = RespValue.Simple("Listpack structure printed on stdout");
        Assert.That(_connection.Call("DEBUG", "LISTPACK", "a"), Is.EqualTo(reply));
        if (kind == ServerKind.Strata)
        {
            var words = command.Split(' ')[^2..];
            Assert.That(() => Server.Output, Does.Contain(words[1]).After(Patience.Ms, 10));
        }
    }

    [TestCase("SADD a 1 2", "ERR Not a listpack encoded object.")]
    [TestCase("SET a listpack", "ERR Not a listpack encoded object.")]
    [TestCase("DEL a", "ERR no such key")]
    public void What_is_no_small_collection_is_not_logged(string command, string error)
    {
        _connection!.Call("DEL", "a");
        _connection.Call(command.Split(' '));
        Assert.That(_connection.Call("DEBUG", "LISTPACK", "a"), Is.EqualTo(RespValue.Error(error)));
    }

    [Test]
    public void Hash_tables_are_described()
    {
        _connection!.Call("FLUSHALL");
        Assert.That(_connection.Call("DEBUG", "POPULATE", "1000").Text, Is.EqualTo("OK"));
        _connection.Call("EXPIRE", "key:1", "1000");
        var text = _connection.Call("DEBUG", "HTSTATS", "0").Text;
        Assert.That(text, Does.StartWith("[Dictionary HT]\nHash table 0 stats"));
        Assert.That(
            text, Does.Match(@" number of elements: 1000\n(.*\n)*\[Expires HT\]\n(.*\n)* number of elements: 1\n"));
        var slots = text.Split(" table size: ")[1].Split('\n')[0];
        Assert.That(int.Parse(slots, CultureInfo.InvariantCulture), Is.InRange(1000, 20_000));
        Assert.That(
            _connection.Call("DEBUG", "HTSTATS", "9").Text, Does.Contain("No stats available for empty dictionaries"));
        var full = _connection.Call("DEBUG", "HTSTATS", "0", "FULL").Text; // New in 7.2.
        Assert.That(full.Length, kind == ServerKind.Strata ? Is.GreaterThan(text.Length) : Is.GreaterThan(0));
        _connection.Call("FLUSHALL");
    }

    [TestCase("SADD")]
    [TestCase("HSET")]
    [TestCase("ZADD")]
    public void Hash_tables_of_values_are_described(string command)
    {
        _connection!.Call("DEL", "a");
        Assert.That(_connection.Call("DEBUG", "HTSTATS-KEY", "a").Text, Is.EqualTo("ERR no such key"));
        _connection.Call(
            [command, "a", .. Enumerable.Range(0, 2000).SelectMany(i => command switch
            {
                "SADD" => (string[])[$"m{i}"],
                "HSET" => [$"m{i}", "v"],
                _ => [$"{i}", $"m{i}"],
            })]);
        var text = _connection.Call("DEBUG", "HTSTATS-KEY", "a").Text;
        Assert.That(text, Does.StartWith("Hash table 0 stats"));
        Assert.That(text, Does.Contain(" number of elements: 2000\n"));
        _connection.Call("DEL", "a");
    }

    [TestCase("HTSTATS x", "ERR value is not an integer or out of range")]
    [TestCase("HTSTATS 99", "ERR Out of range database")]
    [TestCase("HTSTATS -1", "ERR Out of range database")]
    [TestCase("HTSTATS-KEY s", "ERR The value stored at the specified key is not represented using an hash table")]
    [TestCase("SDSLEN n", "ERR Not an sds encoded string.")]
    [TestCase("SDSLEN l", "ERR Not an sds encoded string.")]
    [TestCase("SDSLEN nobody", "ERR no such key")]
    [TestCase("CLIENT-EVICTION", "ERR maxmemory-clients is disabled.")]
    [TestCase("HTSTATS", "ERR unknown subcommand or wrong number of arguments for 'HTSTATS'. Try DEBUG HELP.")]
    public void What_has_no_such_figures_is_refused(string words, string error)
    {
        _connection!.Call("MSET", "n", "12", "s", "text");
        _connection.Call("RPUSH", "l", "text");
        Assert.That(_connection.Call(["DEBUG", .. words.Split(' ')]).Text, Is.EqualTo(error));
        _connection.Call("DEL", "n", "s", "l");
    }

    [Test]
    public void A_string_and_what_it_takes_are_measured()
    {
        _connection!.Call("SET", "name", "hello");
        var text = _connection.Call("DEBUG", "SDSLEN", "name").Text;
        Assert.That(text, Does.Match(
            "^key_sds_len:4, key_sds_avail:[0-9]+, key_zmalloc: [0-9]+, "
            + "val_sds_len:5, val_sds_avail:[0-9]+, val_zmalloc: [0-9]+$"));
        Assert.That(_connection.Call("DEBUG", "STRUCTSIZE").Text, Does.Match("^bits:64( ?[a-z0-9]+:[0-9]+)+ $"));
        _connection.Call("DEL", "name");
    }

    /// <summary>No word does nothing and says that it did.</summary>
    [TestCase("QUICKLIST-PACKED-THRESHOLD 100", "there are no quicklists")]
    [TestCase("mallctl a", "MEMORY MALLOC-STATS")]
    [TestCase("REPLYBUFFER RESIZING 0", "no reply buffers")]
    [TestCase("SEGFAULT", "signal")]
    public void Words_for_what_only_Redis_has_are_refused(string words, string reason)
    {
        Assume.That(kind, Is.EqualTo(ServerKind.Strata));
        var reply = _connection!.Call(["DEBUG", .. words.Split(' ')]);
        Assert.That(reply.IsError, Is.True);
        var word = words.Split(' ')[0].ToUpperInvariant();
        Assert.That(reply.Text, Does.StartWith($"ERR DEBUG {word} is only Redis's: "));
        Assert.That(reply.Text, Does.Contain(reason));
    }

    [Test]
    public void Patterns_are_tried()
    {
        Assume.That(kind, Is.EqualTo(ServerKind.Strata), "Redis takes seconds for it.");
        Assert.That(_connection!.Call("DEBUG", "STRINGMATCH-TEST").Text,
            Is.EqualTo("Apparently Redis did not crash: test passed"));
    }

    [Test]
    public void Modules_are_refused_before_they_are_queued()
    {
        const string Refusal = "ERR MODULE command not allowed. If the enable-module-command option is set to "
            + "\"local\", you can run it from a local connection, otherwise you need to set this option in the "
            + "configuration file, and then restart the server.";
        _connection!.Call("MULTI");
        foreach (var command in (string[])["MODULE LOAD a", "MODULE LOADEX a b", "MODULE UNLOAD a"])
        {
            Assert.That(_connection.Call(command.Split(' ')).Text, Is.EqualTo(Refusal));
        }

        Assert.That(_connection.Call("EXEC").Text, Does.StartWith("EXECABORT"));
        Assert.That(_connection.Call("MODULE", "LOAD").Text,
            Is.EqualTo("ERR wrong number of arguments for 'module|load' command"));
    }

    [TestCase("", "ERR FAILOVER requires connected replicas.")]
    [TestCase("ABORT", "ERR No failover in progress.")]
    [TestCase("ABORT TO a 1", "ERR syntax error")]
    [TestCase("TO a 99999999999 FORCE", "ERR FAILOVER requires connected replicas.")]
    [TestCase("TO a b", "ERR value is not an integer or out of range")]
    [TestCase("TIMEOUT 0", "ERR FAILOVER timeout must be greater than 0")]
    [TestCase("TIMEOUT x", "ERR value is not an integer or out of range")]
    [TestCase("TIMEOUT 1 TIMEOUT 1", "ERR syntax error")]
    [TestCase("FORCE FORCE", "ERR syntax error")]
    public void There_is_nobody_to_hand_over_to(string options, string error)
        => Assert.That(
            _connection!.Call(["FAILOVER", .. options.Split(' ', StringSplitOptions.RemoveEmptyEntries)]).Text,
            Is.EqualTo(error));

    [Test]
    public void A_message_is_logged()
    {
        Assert.That(_connection!.Call("DEBUG", "LOG", "hear this").Text, Is.EqualTo("OK"));
        Assert.That(() => Server.Output, Does.Contain("DEBUG LOG: ").And.Contain("hear this").After(Patience.Ms, 10));
    }

    [Test]
    public void The_background_work_rests_and_goes_on()
    {
        if (_connection!.Call("DEBUG", "PAUSE-CRON", "1").IsError)
        {
            Assert.That(kind, Is.EqualTo(ServerKind.Redis));
            Assert.Ignore("This redis-server is older than 7.2.");
        }

        Thread.Sleep(200); // A cycle that had begun.
        _ = _connection.Call("SET", "k", "v", "PX", "10");
        Thread.Sleep(500);
        Assert.That(_connection.Call("DBSIZE").Integer, Is.EqualTo(1));
        _ = _connection.Call("DEBUG", "PAUSE-CRON", "0");
        Assert.That(() => _connection.Call("DBSIZE").Integer, Is.Zero.After(Patience.Ms, 10));
    }

    [TestCase("NOSUCH now")]
    [TestCase("LOG")]
    [TestCase("ERROR")]
    [TestCase("PROTOCOL")]
    [TestCase("PAUSE-CRON")]
    public void What_is_not_there_is_refused(string words)
    {
        var error = $"ERR unknown subcommand or wrong number of arguments for '{words.Split(' ')[0]}'. Try DEBUG HELP.";
        Assert.That(_connection!.Call(["DEBUG", .. words.Split(' ')]), Is.EqualTo(RespValue.Error(error)));
    }

    private static byte[] Bytes(string text) => System.Text.Encoding.Latin1.GetBytes(text);
}
