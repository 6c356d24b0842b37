using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Values so large that their pages are moved from the connection to the record.</summary>
[TestFixture(1)]
[TestFixture(2)]
public sealed class LargeValueTests(int workers)
{
    private static readonly byte[] s_value = RandomNumberGenerator.GetBytes((int)(2 * PageMove.LeastBytes) + 12_345);

    [TestCase("k", "SET", "")]
    [TestCase("a longer key", "SET", "EX 1000")]
    [TestCase("key", "SET", "NX")]
    [TestCase("key", "SETEX", "1000")]
    [TestCase("key", "SETNX", "")]
    [TestCase("key", "GETSET", "")]
    [TestCase("key", "APPEND", "")]
    [TestCase("key", "SETRANGE", "0")]
    public void Are_what_was_sent_and_take_memory_once(string key, string verb, string words)
    {
        using var server = StrataProcess.Start("--workers", $"{workers}");
        using var client = server.Connect();
        _ = client.Call("SET", "warm", "up");
        var idle = server.ResidentBytes();

        _ = client.Call(Command(key, verb, words));

        var peak = server.PeakResidentBytes();
        TestContext.Out.WriteLine($"{(double)(peak - idle) / s_value.Length:0.00} of the value's size at the most");
        Assert.That(peak - idle, Is.LessThan(1.5 * s_value.Length));
        AssertHolds(client, key);
    }

    [Test]
    public void Are_replaced_changed_and_deleted_like_any_other()
    {
        using var server = StrataProcess.Start("--workers", $"{workers}");
        using var client = server.Connect();
        var idle = server.ResidentBytes();
        for (var i = 0; i < 3; i++)
        {
            _ = client.Call(Command("key", "SET", i == 1 ? "EX 1000" : ""));
            AssertHolds(client, "key");
        }

        Assert.That(client.Call("SETRANGE", "key", "5000000", "x").Integer, Is.EqualTo(s_value.Length));
        Assert.That(client.Call("GETRANGE", "key", "5000000", "5000000"), Is.EqualTo(RespValue.Bulk("x")));
        Assert.That(client.Call("APPEND", "key", "tail").Integer, Is.EqualTo(s_value.Length + 4));
        Assert.That(client.Call("GETRANGE", "key", "-4", "-1"), Is.EqualTo(RespValue.Bulk("tail")));
        Assert.That(client.Call("DEL", "key").Integer, Is.EqualTo(1));
        Assert.That(
            () =>
            {
                _ = client.Call("MEMORY", "PURGE"); // What was given up is free when no worker looks at it any more.
                return server.ResidentBytes() - idle;
            },
            Is.LessThan(s_value.Length).After(10).Seconds.PollEvery(50).MilliSeconds);
    }

    [TestCase("APPEND", "")]
    [TestCase("SETRANGE", "3")]
    public void Take_memory_once_behind_what_is_there(string verb, string words)
    {
        using var server = StrataProcess.Start("--workers", $"{workers}");
        using var client = server.Connect();
        _ = client.Call("SET", "key", "abc");
        var idle = server.ResidentBytes();

        Assert.That(client.Call(Command("key", verb, words)).Integer, Is.EqualTo(3 + s_value.Length));

        Assert.That(server.PeakResidentBytes() - idle, Is.LessThan(1.5 * s_value.Length));
        Assert.That(client.Call("GETRANGE", "key", "0", "2"), Is.EqualTo(RespValue.Bulk("abc")));
        Assert.That(client.Call("GETRANGE", "key", "3", "-1").Bytes, Is.EqualTo(s_value));
    }

    [Test]
    public void Are_not_answered_beside_the_next_one_when_memory_is_at_its_end()
    {
        using var server = StrataProcess.Start("--workers", $"{workers}", "--maxmemory", $"{s_value.Length / 5 * 8}");
        using var client = server.Connect();
        var idle = server.ResidentBytes();
        Assert.That(client.Call(Command("key", "SET", "")).IsError, Is.False);
        Assert.That(client.Call(Command("key", "SET", "GET")).Text, Does.StartWith("OOM"));
        Assert.That(client.Call(Command("key", "SET", "")).IsError, Is.False);
        Assert.That(server.PeakResidentBytes() - idle, Is.LessThan(2.5 * s_value.Length));
    }

    [TestCase("SET")]
    [TestCase("APPEND")]
    public void Are_shown_whole_to_monitors_and_begun_in_the_slow_log(string verb)
    {
        using var server = StrataProcess.Start("--workers", $"{workers}", "--slowlog-log-slower-than", "0",
            "--client-output-buffer-limit", "pubsub 0 0 0");
        using var client = server.Connect();
        _ = client.Call(Command("key", verb, ""));
        var logged = client.Call("SLOWLOG", "GET").Items.Select(entry => entry.Items[3]).First(c => c.Items.Count == 3);
        Assert.That(logged.Items[2].Bytes[..100], Is.EqualTo(s_value[..100]));

        using var monitor = server.Connect();
        _ = monitor.Call("MONITOR");
        var text = new byte[s_value.Length];
        Array.Fill(text, (byte)'t');
        client.Send(new RespCommand([Encoding.ASCII.GetBytes(verb), "new"u8.ToArray(), text]));
        Assert.That(client.ReadReply().IsError, Is.False);
        Assert.That(monitor.ReadReply().Bytes.AsSpan().Count((byte)'t'), Is.EqualTo(text.Length));
    }

    [Test]
    public void Come_many_at_once_with_other_commands_between()
    {
        using var server = StrataProcess.Start("--workers", $"{workers}");
        using var client = server.Connect();
        var set = Command("large", "SET", "").Encode();
        var few = Encoding.ASCII.GetBytes("SET small value\r\nGET small\r\nMULTI\r\nGET small\r\n");
        var sending = Task.Run(() =>
        {
            for (var i = 0; i < 4; i++)
            {
                client.SendRaw([.. set, .. few, .. set, .. "EXEC\r\n"u8]);
            }
        });
        for (var i = 0; i < 4; i++)
        {
            string[] expected = ["OK", "OK", "value", "OK", "QUEUED", "QUEUED"];
            foreach (var reply in expected)
            {
                Assert.That(client.ReadReply().Text, Is.EqualTo(reply));
            }

            Assert.That(client.ReadReply().Items[0].Text, Is.EqualTo("value"));
        }

        sending.Wait();
        AssertHolds(client, "large");
    }

    /// <summary>The memory that is received to goes with the connection, but not before its last command.</summary>
    [Test]
    public void Are_let_go_of_with_a_client_that_goes_in_the_midst_of_its_commands()
    {
        using var server = StrataProcess.Start("--workers", $"{workers}");
        using var client = server.Connect();
        _ = client.Call("SETRANGE", "reply", "70000", "x");
        byte[] sent =
        [
            .. Command("key", "SET", "").Encode(),
            .. Enumerable.Repeat("GET reply\r\n"u8.ToArray(), 500).SelectMany(get => get),
        ];
        for (var i = 0; i < 8; i++)
        {
            using var gone = server.Connect();
            gone.SendRaw(sent);
            gone.Socket.LingerState = new LingerOption(enable: true, seconds: 0); // It is reset.
        }

        Assert.That(() => client.Call("CLIENT", "LIST").Text.Trim().Split('\n'),
            Has.Length.EqualTo(1).After(Patience.Ms, 20));
        _ = client.Call(Command("key", "SET", ""));
        AssertHolds(client, "key");
    }

    [Test]
    public void Go_to_the_device_and_come_back()
    {
        using var server = StrataProcess.Start(
            "--workers", $"{workers}", "--storage-tier", "yes", "--maxmemory", $"{3L * s_value.Length}");
        using var client = server.Connect();
        for (var i = 0; i < 6; i++)
        {
            Assert.That(client.Call(Command($"key:{i}", "SET", "")), Is.EqualTo(RespValue.Simple("OK")));
        }

        for (var i = 0; i < 6; i++)
        {
            AssertHolds(client, $"key:{i}");
        }
    }

    private static RespCommand Command(string key, string verb, string words)
    {
        var isLast = verb is "SETEX" or "SETRANGE";
        var head = isLast ? new[] { verb, key, words } : [verb, key];
        var tail = isLast || words.Length == 0 ? [] : words.Split(' ');
        return new RespCommand(
            [.. head.Select(Encoding.ASCII.GetBytes), s_value, .. tail.Select(Encoding.ASCII.GetBytes)]);
    }

    private static void AssertHolds(RespConnection client, string key)
    {
        var reply = client.Call("GET", key);
        Assert.That(reply.Bytes, Has.Length.EqualTo(s_value.Length), $"{key}: {reply.Kind}");
        Assert.That(reply.Bytes.AsSpan().SequenceEqual(s_value), Is.True, key);
    }
}
