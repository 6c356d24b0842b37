using System.Net.Sockets;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// Input that isn't the protocol: Redis's text, the end of that connection, no harm to others, and no memory for
/// lengths that are only claimed.
/// </summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ProtocolErrorTests(ServerKind kind) : ServerFixture(kind)
{
    private const long Megabyte = 1024 * 1024;
    private const string Password = "open sesame";

    private static readonly (string Name, string Input, string Error)[] s_errors =
    [
        ("array length not a number", "*abc\r\n", "invalid multibulk length"),
        ("array length empty", "*\r\n", "invalid multibulk length"),
        ("array length with a space", "*1 \r\n", "invalid multibulk length"),
        ("array length over 32 bits", "*2147483648\r\n", "invalid multibulk length"),
        ("array length over 64 bits", "*99999999999999999999\r\n", "invalid multibulk length"),
        ("array length with a leading zero", "*02\r\n", "invalid multibulk length"),
        ("array length with a plus", "*+2\r\n", "invalid multibulk length"),
        ("array length without end", "*" + new string('1', 66_000), "too big mbulk count string"),
        ("bulk length not a number", "*1\r\n$abc\r\n", "invalid bulk length"),
        ("bulk length empty", "*1\r\n$\r\n", "invalid bulk length"),
        ("bulk length with a leading zero", "*1\r\n$04\r\n", "invalid bulk length"),
        ("bulk length negative", "*1\r\n$-1\r\n", "invalid bulk length"),
        ("bulk length over the limit", "*1\r\n$536870913\r\n", "invalid bulk length"),
        ("bulk length over 64 bits", "*1\r\n$99999999999999999999\r\n", "invalid bulk length"),
        ("bulk length without end", "*1\r\n$" + new string('1', 66_000), "too big bulk count string"),
        ("second bulk length wrong", "*2\r\n$3\r\nGET\r\n$x\r\n", "invalid bulk length"),
        ("a word where a bulk should start", "*1\r\nfoo\r\n", "expected '$', got 'f'"),
        ("an integer where a bulk should start", "*2\r\n$3\r\nGET\r\n:1\r\n", "expected '$', got ':'"),
        ("an array inside an array", "*1\r\n*1\r\n", "expected '$', got '*'"),
        ("inline without end", new string('a', 66_000), "too big inline request"),
        ("quote not closed", "SET \"a\r\n", "unbalanced quotes in request"),
        ("apostrophe not closed", "SET 'a\r\n", "unbalanced quotes in request"),
        ("quote inside a word", "SET \"a\"b\r\n", "unbalanced quotes in request"),
    ];

    private static IEnumerable<TestCaseData> Errors() =>
        s_errors.Select(e => new TestCaseData(e.Input, e.Error).SetArgDisplayNames(e.Name));

    [TestCaseSource(nameof(Errors))]
    public void Gets_redis_text_and_closes_only_that_connection(string input, string error)
    {
        using var bystander = Server.Connect();
        bystander.Call("PING");
        using var connection = Server.Connect();
        connection.SendRaw("PING\r\n" + input);

        var received = Encoding.Latin1.GetString(connection.ReadToEnd());

        Assert.That(received, Is.EqualTo($"+PONG\r\n-ERR Protocol error: {error}\r\n"));
        Assert.That(bystander.Call("PING"), Is.EqualTo(RespValue.Simple("PONG")));
    }

    [TestCase("*11\r\n", "unauthenticated multibulk length")]
    [TestCase("*1\r\n$16385\r\n", "unauthenticated bulk length")]
    public void Before_a_password_is_given_only_small_requests_are_read(string input, string error)
    {
        using var server = StartWith("--requirepass", Password);
        using (var stranger = server.Connect())
        {
            stranger.SendRaw(input);
            var received = Encoding.Latin1.GetString(stranger.ReadToEnd());
            Assert.That(received, Is.EqualTo($"-ERR Protocol error: {error}\r\n"));
        }

        using var known = server.Connect();
        Assert.That(known.Call("AUTH", Password).Text, Is.EqualTo("OK"));
        var value = new string('v', 20_000);
        string[] mset = ["MSET", .. Enumerable.Range(0, 10).SelectMany(i => new[] { $"k{i}", value })];
        Assert.That(known.Call(mset).Text, Is.EqualTo("OK"));
    }

    [TestCase("*1\r\n$536870912\r\n")]
    [TestCase("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\nonly this much")]
    [TestCase("*2147483647\r\n$3\r\nDEL\r\n$1\r\nk\r\n")]
    public void A_length_that_is_only_claimed_costs_no_memory(string input)
    {
        const int connections = 8;
        using var control = Server.Connect();
        control.Call("PING");
        var before = Server.ResidentBytes();
        var claimants = new List<RespConnection>();
        try
        {
            for (var i = 0; i < connections; i++)
            {
                var claimant = Server.Connect();
                claimants.Add(claimant);
                claimant.SendRaw(input);
            }

            Thread.Sleep(200); // let the server read what was sent
            Assert.That(control.Call("PING"), Is.EqualTo(RespValue.Simple("PONG")));
            Assert.That((Server.ResidentBytes() - before) / Megabyte, Is.LessThan(32), "MB of growth");
        }
        finally
        {
            claimants.ForEach(claimant => claimant.Dispose());
        }
    }

    [Test]
    public void A_bulk_without_its_line_end_takes_the_next_two_bytes_for_it()
    {
        // Redis doesn't look at the two bytes after a bulk string; clients that are off by two see it at once.
        using var connection = Server.Connect();
        connection.SendRaw("*2\r\n$4\r\nECHO\r\n$2\r\nhixx*1\r\n$4\r\nPING\r\n");
        Assert.That(connection.ReadReply(), Is.EqualTo(RespValue.Bulk("hi")));
        Assert.That(connection.ReadReply(), Is.EqualTo(RespValue.Simple("PONG")));
    }

    [Test]
    public void A_connection_dropped_inside_a_request_leaves_no_trace()
    {
        for (var i = 0; i < 50; i++)
        {
            using var connection = Server.Connect();
            connection.SendRaw("*3\r\n$3\r\nSET\r\n$4\r\nhalf\r\n$100\r\nunfinished");
            connection.Socket.LingerState = new LingerOption(true, 0); // a reset instead of an orderly end
        }

        using var after = Server.Connect();
        Assert.That(after.Call("EXISTS", "half").Integer, Is.Zero);
    }
}
