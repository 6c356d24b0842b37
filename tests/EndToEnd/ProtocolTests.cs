using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Requests over the wire, however TCP cuts them.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ProtocolTests(ServerKind kind) : ServerFixture(kind)
{
    private const string End = "$9\r\n<the-end>\r\n";

    private static readonly (string Name, string Request, string Reply)[] s_payloads =
    [
        ("a get of a binary value",
            "*3\r\n$3\r\nSET\r\n$1\r\nb\r\n$6\r\n\r\n\0\xff*1\r\n*2\r\n$3\r\nGET\r\n$1\r\nb\r\n",
            "+OK\r\n$6\r\n\r\n\0\xff*1\r\n"),
        ("a run of gets with an error inside",
            "*2\r\n$3\r\nDEL\r\n$1\r\nm\r\n*2\r\n$3\r\nGET\r\n$1\r\nm\r\n"
                + "*1\r\n$3\r\nGET\r\n*2\r\n$3\r\nget\r\n$1\r\nm\r\n",
            ":0\r\n$-1\r\n-ERR wrong number of arguments for 'get' command\r\n$-1\r\n"),
        ("empty arguments",
            "*3\r\n$3\r\nSET\r\n$0\r\n\r\n$0\r\n\r\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n*2\r\n$4\r\nECHO\r\n$0\r\n\r\n",
            "+OK\r\n$0\r\n\r\n$0\r\n\r\n"),
        ("inline between arrays",
            "PING\r\n*1\r\n$4\r\nPING\r\n\r\nECHO \"a\\x00b\"\n*0\r\n*-1\r\nPING x\r\n",
            "+PONG\r\n+PONG\r\n$3\r\na\0b\r\n$1\r\nx\r\n"),
        ("a reset inside",
            "*2\r\n$3\r\nDEL\r\n$1\r\nm\r\n*2\r\n$3\r\nGET\r\n$1\r\nm\r\n*1\r\n$5\r\nRESET\r\n*1\r\n$4\r\nPING\r\n",
            ":0\r\n$-1\r\n+RESET\r\n+PONG\r\n"),
    ];

    private static IEnumerable<TestCaseData> Payloads() =>
        s_payloads.Select(p => new TestCaseData(p.Request, p.Reply).SetArgDisplayNames(p.Name));

    [TestCaseSource(nameof(Payloads))]
    public void Whole(string request, string reply) => Expect(reply, request);

    [TestCaseSource(nameof(Payloads))]
    public void Split_at_every_byte(string request, string reply)
    {
        for (var at = 1; at < request.Length; at++)
        {
            Expect(reply, request[..at], request[at..]);
        }
    }

    [TestCaseSource(nameof(Payloads))]
    public void Byte_by_byte(string request, string reply) =>
        Expect(reply, [.. request.Select(c => c.ToString())]);

    [Test]
    public void A_value_larger_than_any_buffer_comes_back_whole()
    {
        var value = new byte[5_000_001];
        new Random(1).NextBytes(value);
        using var connection = Server.Connect();
        var set = connection.Call(new RespCommand(["SET"u8.ToArray(), "large"u8.ToArray(), value]));

        Assert.That(set.Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("GET", "large").Bytes.AsSpan().SequenceEqual(value));
        Assert.That(connection.Call("DEL", "large").Integer, Is.EqualTo(1));
    }

    [Test]
    public void Replies_of_a_long_pipeline_keep_their_order()
    {
        const int commands = 20_000;
        var burst = new StringBuilder();
        for (var i = 0; i < commands; i++)
        {
            burst.Append(i % 2 == 0 ? $"SET order:{i % 100} {i}\r\n" : $"GET order:{(i - 1) % 100}\r\n");
        }

        using var connection = Server.Connect();
        var sender = Task.Run(() => connection.SendRaw(burst.ToString()));
        for (var i = 0; i < commands; i++)
        {
            var expected = i % 2 == 0 ? RespValue.Simple("OK") : RespValue.Bulk(CommandText(i - 1));
            Assert.That(connection.ReadReply(), Is.EqualTo(expected), $"reply {i}");
        }

        sender.Wait();
    }

    [Test]
    public void Nulls_and_maps_follow_the_sessions_protocol()
    {
        using var connection = Server.Connect();
        Assert.That(connection.Call("GET", "missing").Kind, Is.EqualTo(RespKind.NullBulk));
        Assert.That(connection.Call("HELLO", "3").Kind, Is.EqualTo(RespKind.Map));
        Assert.That(connection.Call("GET", "missing").Kind, Is.EqualTo(RespKind.Null));
        Assert.That(connection.Call("CONFIG", "GET", "maxmemory").Kind, Is.EqualTo(RespKind.Map));
        Assert.That(connection.Call("HELLO", "2").Kind, Is.EqualTo(RespKind.Array));
        Assert.That(connection.Call("GET", "missing").Kind, Is.EqualTo(RespKind.NullBulk));
    }

    [Test]
    public void Quit_answers_and_closes()
    {
        using var connection = Server.Connect();
        connection.SendRaw("PING\r\nQUIT\r\nPING\r\n");
        Assert.That(Encoding.Latin1.GetString(connection.ReadToEnd()), Is.EqualTo("+PONG\r\n+OK\r\n"));
    }

    private static string CommandText(int number) => number.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>Sends the parts apart from each other and requires exactly these bytes.</summary>
    private void Expect(string reply, params string[] parts)
    {
        using var connection = Server.Connect();
        foreach (var part in parts)
        {
            connection.SendRaw(part);
            if (parts.Length > 1)
            {
                Thread.Sleep(1); // long enough for the server to see the parts one by one
            }
        }

        connection.SendRaw($"*2\r\n$4\r\nPING\r\n{End}");
        Assert.That(ReadUntilEnd(connection), Is.EqualTo(reply + End));
    }

    /// <summary>What the server sends up to the end mark, or until it closes or falls silent.</summary>
    private static string ReadUntilEnd(RespConnection connection)
    {
        var replies = string.Empty;
        while (!replies.EndsWith(End, StringComparison.Ordinal) && connection.HasInput(Patience.Ms))
        {
            var bytes = connection.ReadSome();
            if (bytes.Length == 0)
            {
                break;
            }

            replies += Encoding.Latin1.GetString(bytes);
        }

        return replies;
    }
}
