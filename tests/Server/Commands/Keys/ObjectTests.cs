using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>OBJECT.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ObjectTests(ServerKind kind) : KeysFixture(kind)
{
    private const string Adjusts =
        "Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.";

    [TestCase("0", "int")]
    [TestCase("-9223372036854775808", "int")]
    [TestCase("9223372036854775807", "int")]
    [TestCase("9223372036854775808", "embstr")]
    [TestCase("007", "embstr")]
    [TestCase("-0", "embstr")]
    [TestCase("", "embstr")]
    [TestCase("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "embstr")]
    [TestCase("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "raw")]
    public void Encoding_follows_from_the_value_and_outlives_expire_rename_and_copy(string value, string encoding)
    {
        Call("SET", "a", value);
        Assert.That(Call("OBJECT", "ENCODING", "a"), Is.EqualTo(RespValue.Bulk(encoding)));
        Call("EXPIRE", "a", "100");
        Call("RENAME", "a", "b");
        Call("COPY", "b", "c");
        Assert.That(Call("OBJECT", "encoding", "b").Text, Is.EqualTo(encoding));
        Assert.That(Call("OBJECT", "encoding", "c").Text, Is.EqualTo(encoding));
    }

    [Test]
    public void A_missing_key_is_null([Values("ENCODING", "FREQ", "IDLETIME", "REFCOUNT")] string subcommand)
        => Assert.That(Call("OBJECT", subcommand, "nope").IsNull);

    [Test]
    public void A_value_has_one_reference()
    {
        Call("SET", "a", "some text");
        Assert.That(Number("OBJECT", "REFCOUNT", "a"), Is.EqualTo(1));
    }

    [Test]
    public void Freq_needs_an_lfu_policy()
    {
        Call("SET", "a", "v");
        Assert.That(Call("OBJECT", "FREQ", "a"), Is.EqualTo(
            Error("ERR An LFU maxmemory policy is not selected, access frequency not tracked. " + Adjusts)));
    }

    [Test]
    public void Under_an_lfu_policy_reads_raise_freq_and_idletime_is_refused()
    {
        using var server = StartWith("--maxmemory-policy", "allkeys-lfu", "--maxmemory", "100mb");
        using var connection = server.Connect();
        connection.Call("SET", "a", "v");
        var before = connection.Call("OBJECT", "FREQ", "a").Integer;
        for (var i = 0; i < 1000; i++)
        {
            connection.Call("GET", "a");
        }

        Assert.That(connection.Call("OBJECT", "FREQ", "a").Integer, Is.GreaterThan(before));
        Assert.That(connection.Call("OBJECT", "IDLETIME", "a"), Is.EqualTo(
            Error("ERR An LFU maxmemory policy is selected, idle time not tracked. " + Adjusts)));
    }

    [Test]
    public void Where_each_access_counts_freq_is_that_of_redis()
    {
        using var server = StartWith(
            "--maxmemory-policy", "allkeys-lfu", "--lfu-log-factor", "0", "--lfu-decay-time", "0");
        using var connection = server.Connect();
        var counts = new List<long>();
        foreach (var command in (string[])
            [
                "SET a v", "GET a", "GET a", "SET a w", "SET a a-value-that-does-not-fit-where-that-was", "APPEND a v",
                "EXPIRE a 1000", "PERSIST a", "TOUCH a", "STRLEN a", "EXISTS a", "TYPE a", "TTL a", "RENAME a b",
                "RENAME b a", "MGET a a", "GETRANGE a 0 1", "DUMP a", "DEL a", "RPUSH a x", "RPUSH a y", "LRANGE a 0 1",
                "LPOP a",
            ])
        {
            Assert.That(connection.Call(command.Split(' ')).IsError, Is.False, command);
            var reply = connection.Call("OBJECT", "FREQ", "a");
            counts.Add(reply.IsNull ? -1 : reply.Integer);
        }

        Assert.That(counts, Is.EqualTo((long[])
            [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14, 14, 14, -1, 16, 18, 19, 20, -1, 5, 6, 7, 8]));
    }

    [Test]
    public void A_count_goes_along_with_a_payload_and_a_snapshot()
    {
        using var server = StartWith(
            "--maxmemory-policy", "volatile-lfu", "--lfu-decay-time", "0", "--enable-debug-command", "yes");
        using var connection = server.Connect();
        connection.Call("SET", "a", "v");
        connection.Call("RESTORE", "b", "0", connection.Call("DUMP", "a").Text, "FREQ", "200");
        Assert.That(connection.Call("OBJECT", "FREQ", "b").Integer, Is.EqualTo(200));
        Assert.That(connection.Call("DEBUG", "RELOAD").IsError, Is.False);
        Assert.That(connection.Call("OBJECT", "FREQ", "b").Integer, Is.EqualTo(200));
    }

    [Test]
    public void An_idle_time_goes_along_with_a_snapshot()
    {
        using var server = StartWith("--maxmemory-policy", "allkeys-lru", "--enable-debug-command", "yes");
        using var connection = server.Connect();
        connection.Call("SET", "a", "v");
        connection.Call("RESTORE", "b", "0", connection.Call("DUMP", "a").Text, "IDLETIME", "5000");
        Assert.That(connection.Call("OBJECT", "IDLETIME", "b").Integer, Is.InRange(5000, 5100));
        Assert.That(connection.Call("DEBUG", "RELOAD").IsError, Is.False);
        Assert.That(connection.Call("OBJECT", "IDLETIME", "b").Integer, Is.InRange(5000, 5100));
    }

    [Test]
    public void Help_is_that_of_redis()
        => Assert.That(Call("object", "help").Items.Select(item => item.Text), Is.EqualTo((string[])
            [
                "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
                "ENCODING <key>",
                "    Return the kind of internal representation used in order to store the value",
                "    associated with a <key>.",
                "FREQ <key>",
                "    Return the access frequency index of the <key>. The returned integer is",
                "    proportional to the logarithm of the recent access frequency of the key.",
                "IDLETIME <key>",
                "    Return the idle time of the <key>, that is the approximated number of",
                "    seconds elapsed since the last access to the key.",
                "REFCOUNT <key>",
                "    Return the number of references of the value associated with the specified",
                "    <key>.",
                "HELP",
                Kind == ServerKind.Redis ? "    Prints this help." : "    Print this help.", // Since 7.2.
            ]));

    [TestCase("OBJECT", "ERR wrong number of arguments for 'object' command")]
    [TestCase("OBJECT ENCODING", "ERR wrong number of arguments for 'object|encoding' command")]
    [TestCase("OBJECT FREQ a b", "ERR wrong number of arguments for 'object|freq' command")]
    [TestCase("OBJECT Weight a", "ERR unknown subcommand 'Weight'. Try OBJECT HELP.")]
    public void Mistakes_are_answered_with_redis_texts(string command, string error)
        => Assert.That(Call(command.Split(' ')), Is.EqualTo(Error(error)));

    [Test]
    public void Idletime_counts_the_seconds_since_the_last_access()
    {
        Call("SET", "read", "v");
        Call("SET", "written", "v");
        Call("SET", "idle", "v");
        while (Number("OBJECT", "IDLETIME", "idle") < 3)
        {
            Call("GET", "read");
            Call("APPEND", "written", "v");
            Call("EXISTS", "idle"); // Neither this nor TYPE, TTL or OBJECT is an access.
            Call("TYPE", "idle");
            Call("TTL", "idle");
            Thread.Sleep(50);
        }

        Assert.That(Number("OBJECT", "IDLETIME", "read"), Is.LessThan(3));
        Assert.That(Number("OBJECT", "IDLETIME", "written"), Is.LessThan(3));
        Call("EXPIRE", "idle", "100");
        Call("RENAME", "idle", "renamed");
        Assert.That(Number("OBJECT", "IDLETIME", "renamed"), Is.LessThan(3));
    }

    [Test]
    public void A_client_that_does_not_touch_leaves_the_idle_time_but_for_touch()
    {
        Call("SET", "a", "v");
        if (Call("CLIENT", "NO-TOUCH", "ON").IsError)
        {
            Assert.Ignore("CLIENT NO-TOUCH came with Redis 7.2.");
        }

        while (Number("OBJECT", "IDLETIME", "a") < 3)
        {
            Call("GET", "a");
            Call("INCRBY", "a", "1"); // An error, but it looks the key up.
            Thread.Sleep(50);
        }

        Call("TOUCH", "a");
        Assert.That(Number("OBJECT", "IDLETIME", "a"), Is.LessThan(3));
    }
}
