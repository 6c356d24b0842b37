using System.Globalization;
using NUnit.Framework;

namespace Strata.Tests.Server.Network;

/// <summary>What every transport must do alike: sessions do not know which of them they are on.</summary>
[TestFixture(TransportKind.Tcp)]
[TestFixture(TransportKind.Unix)]
[TestFixture(TransportKind.Tls)]
[TestFixture(TransportKind.InProcess)]
public sealed class TransportTests(TransportKind kind)
{
    private TransportServer _server = null!;
    private TransportClient _client = null!;

    [SetUp]
    public void Start()
    {
        _server = new TransportServer();
        _client = _server.Connect(kind);
    }

    [TearDown]
    public void Stop()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [TestCase("PING\r\n", "+PONG\r\n")]
    [TestCase("\r\nECHO \"a b\"\r\nPING\r\n", "$3\r\na b\r\n+PONG\r\n")]
    [TestCase("*1\r\n$4\r\nPING\r\n*2\r\n$4\r\nECHO\r\n$4\r\n\r\n\0\u00ff\r\n", "+PONG\r\n$4\r\n\r\n\0\u00ff\r\n")]
    [TestCase("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2\r\nvw\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*2\r\n$3\r\nGET\r\n$1\r\nl\r\n",
        "+OK\r\n$2\r\nvw\r\n$-1\r\n")]
    [TestCase("MULTI\r\nSET k v\r\nGET k\r\nEXEC\r\n", "+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n+OK\r\n$1\r\nv\r\n")]
    [TestCase("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$-2\r\n", "$-1\r\n-ERR Protocol error: invalid bulk length\r\n")]
    public void Input_may_be_cut_anywhere(string input, string expected)
    {
        for (var cut = 0; cut < input.Length; cut++)
        {
            SendInParts(expected, input[..cut], input[cut..]);
        }

        SendInParts(expected, [.. input.Select(letter => letter.ToString())]);
    }

    [Test]
    public void Who_reads_an_error_finds_it_counted()
    {
        for (var read = 1; read <= 300; read++)
        {
            Assert.That(_client.Call("*1\r\n$1\r\nx\r\n", "-ERR unknown"), Is.EqualTo("-ERR unknown"));

            Assert.That(_server.Server.Workers[0].Errors.All, Is.EqualTo(new[] { ("ERR", (long)read) }));
            _ = _client.ReadLine();
        }
    }

    [Test]
    public void Who_reads_a_reply_finds_the_command_counted()
    {
        var statistics = _server.Server.Workers[0].Statistics;
        for (var read = 1; read <= 300; read++)
        {
            _ = _client.Call("GET k\r\nMULTI\r\nGET k\r\nEXEC\r\n", "$-1\r\n+OK\r\n+QUEUED\r\n*1\r\n$-1\r\n");

            Assert.That(statistics.Commands, Is.EqualTo(4 * read));
            Assert.That(statistics.Misses, Is.EqualTo(2 * read));
        }
    }

    [Test]
    public void A_thousand_commands_are_answered_in_order()
    {
        var numbers = Enumerable.Range(0, 1000).ToList();
        _client.Send(string.Concat(numbers.Select(i => $"SET key:{i} value:{i}\r\nGET key:{i}\r\n")));

        var expected = string.Concat(numbers.Select(i => $"+OK\r\n${$"value:{i}".Length}\r\nvalue:{i}\r\n"));
        Assert.That(_client.Read(expected.Length), Is.EqualTo(expected));
    }

    [Test]
    public void A_large_value_comes_and_goes_whole()
    {
        var value = string.Concat(Enumerable.Range(0, 1_000_000).Select(i => $"{i % 9000:0000}"));
        _client.Send($"*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n${value.Length}\r\n");
        for (var start = 0; start < value.Length; start += 100_000)
        {
            _client.Send(value[start..(start + 100_000)]);
        }

        Assert.That(_client.Call("\r\nGET big\r\n", "+OK\r\n"), Is.EqualTo("+OK\r\n"));
        Assert.That(_client.ReadLine(), Is.EqualTo($"${value.Length}\r\n"));
        Assert.That(_client.Read(value.Length), Is.EqualTo(value));
    }

    [Test]
    public void A_blocked_client_is_served_and_goes_on_with_what_it_sent_meanwhile()
    {
        Block("BLPOP list 0\r\nPING\r\n");
        using var other = _server.Connect(kind);
        _client.Send("ECHO later\r\n");

        Assert.That(other.Call("RPUSH list element\r\n", ":1\r\n"), Is.EqualTo(":1\r\n"));
        const string expected = "*2\r\n$4\r\nlist\r\n$7\r\nelement\r\n+PONG\r\n$5\r\nlater\r\n";
        Assert.That(_client.Read(expected.Length), Is.EqualTo(expected));
    }

    [TestCase("BLPOP list 0\r\n")]
    [TestCase("BLPOP list 0\r\nPING\r\n")]
    public void A_blocked_client_that_goes_is_noticed(string input)
    {
        Block(input);
        _client.Dispose();

        TransportServer.Until(() => _server.Server.Services.Diagnostics.Clients.Connected == 0);
        Assert.That(_server.Server.Workers[0].Blocked.Count, Is.Zero);
    }

    [Test]
    public void Messages_come_in_order()
    {
        const string subscribed = "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n";
        Assert.That(_client.Call("SUBSCRIBE c\r\n", subscribed), Is.EqualTo(subscribed));
        using var other = _server.Connect(kind);
        other.Send(string.Concat(Enumerable.Range(1000, 1000).Select(i => $"PUBLISH c {i}\r\n")));

        const string message = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$4\r\n";
        var expected = string.Concat(Enumerable.Range(1000, 1000).Select(i => $"{message}{i}\r\n"));
        Assert.That(_client.Read(expected.Length), Is.EqualTo(expected));
        Assert.That(other.Read(4000), Is.EqualTo(string.Concat(Enumerable.Repeat(":1\r\n", 1000))));
    }

    [Test]
    public void A_monitor_is_pushed_to()
    {
        Assert.That(_client.Call("MONITOR\r\n", "+OK\r\n"), Is.EqualTo("+OK\r\n"));
        using var other = _server.Connect(kind);
        other.Send("ECHO seen\r\n");

        Assert.That(_client.ReadLine(), Does.EndWith("\"ECHO\" \"seen\"\r\n"));
    }

    [Test]
    public void Quit_answers_and_ends()
    {
        _client.Send("PING\r\nQUIT\r\n");
        Assert.That(_client.ReadToEnd(), Is.EqualTo("+PONG\r\n+OK\r\n"));
    }

    [Test]
    public void A_client_that_sends_no_more_is_closed()
    {
        Assert.That(_client.Call("PING\r\n", "+PONG\r\n"), Is.EqualTo("+PONG\r\n"));
        _client.EndOutput();
        Assert.That(_client.ReadToEnd(), Is.Empty);
        TransportServer.Until(() => _server.Server.Services.Diagnostics.Clients.Connected == 0);
    }

    [Test]
    public void A_client_that_goes_within_a_command_leaves_no_memory_behind()
    {
        using var other = _server.Connect(kind);
        other.Call("PING\r\n", "+PONG\r\n");
        var before = BytesInUse();
        SendAndAwait("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000000\r\n" + new string('x', 100_000));
        Assert.That(BytesInUse(), Is.GreaterThan(before + 99_000), "buffers are counted");
        _client.Dispose();

        TransportServer.Until(() => _server.Server.Services.Diagnostics.Clients.Connected == 1);

        // Its worker keeps a little for the next one, less than a connection takes.
        TransportServer.Until(() => BytesInUse() <= before);
    }

    /// <summary>What the server has charged, without the buffers that it keeps for use again.</summary>
    private long BytesInUse()
    {
        var budget = _server.Server.Context.Shards.Budget;
        budget.Buffers.ReleaseIdle();
        return budget.UsedBytes;
    }

    [Test]
    public void A_killed_client_reads_the_end()
    {
        _client.Send("CLIENT ID\r\n");
        var id = _client.ReadLine()[1..].Trim();
        using var other = _server.Connect(kind);
        var kill = $"CLIENT KILL ID {id}\r\n";
        Assert.That(other.Call(kill, ":1\r\n"), Is.EqualTo(":1\r\n"));
        Assert.That(_client.ReadToEnd(), Is.Empty);
    }

    [Test]
    public void Who_does_not_read_is_waited_for_and_gets_everything()
    {
        const int requests = 300;
        using var other = WithBigValue();
        var sending = new Thread(() => _client.Send(string.Concat(Enumerable.Repeat("GET big\r\n", requests))));
        sending.Start();
        TransportServer.Until(() => MostUnsentBytes(other) >= 1 << 20);

        for (var i = 0; i < requests; i++)
        {
            Assert.That(_client.ReadLine(), Is.EqualTo("$100000\r\n"));
            Assert.That(_client.Read(100_002), Does.StartWith("bbb").And.EndsWith("bbb\r\n"));
        }

        sending.Join();
        Assert.That(_client.Call("PING\r\n", "+PONG\r\n"), Is.EqualTo("+PONG\r\n"));
    }

    [Test]
    public void Who_reads_too_slowly_is_closed()
    {
        using var other = WithBigValue();
        const string set = "CONFIG SET client-output-buffer-limit \"normal 512kb 0 0\"\r\n";
        Assert.That(other.Call(set, "+OK\r\n"), Is.EqualTo("+OK\r\n"));
        _client.Send(string.Concat(Enumerable.Repeat("GET big\r\n", 300)));

        TransportServer.Until(() => _server.Server.Services.Diagnostics.Clients.Connected == 1);
        Assert.That(_client.ReadToEnd(), Has.Length.LessThan(300 * 100_000));
    }

    [Test]
    public void A_server_that_stops_sends_the_replies_and_ends()
    {
        Assert.That(_client.Call("PING\r\n", "+PONG\r\n"), Is.EqualTo("+PONG\r\n"));
        SendAndAwait("ECHO last\r\n");
        _server.Stop();
        Assert.That(_client.ReadToEnd(), Is.EqualTo("$4\r\nlast\r\n"));
    }

    [Test]
    public void One_client_too_many_is_told()
    {
        Assume.That(kind, Is.Not.EqualTo(TransportKind.Tls), "nothing can be said before the handshake");
        Assert.That(_client.Call("CONFIG SET maxclients 1\r\n", "+OK\r\n"), Is.EqualTo("+OK\r\n"));
        using var other = _server.Connect(kind);
        Assert.That(other.ReadToEnd(), Is.EqualTo("-ERR max number of clients reached\r\n"));
    }

    private TransportClient WithBigValue()
    {
        var other = _server.Connect(kind);
        Assert.That(other.Call($"SET big {new string('b', 50_000)}\r\n", "+OK\r\n"), Is.EqualTo("+OK\r\n"));
        Assert.That(other.Call($"APPEND big {new string('b', 50_000)}\r\n", ":100000\r\n"), Is.EqualTo(":100000\r\n"));
        return other;
    }

    /// <summary>The largest backlog that CLIENT LIST tells.</summary>
    private static long MostUnsentBytes(TransportClient other)
    {
        other.Send("CLIENT LIST\r\n");
        var length = int.Parse(other.ReadLine()[1..].Trim(), CultureInfo.InvariantCulture);
        return other.Read(length + 2).Split(' ', '\n')
            .Where(field => field.StartsWith("omem=", StringComparison.Ordinal))
            .Max(field => long.Parse(field[5..], CultureInfo.InvariantCulture));
    }

    private void Block(string input)
    {
        _client.Send(input);
        TransportServer.Until(() => _server.Server.Workers[0].Blocked.Count == 1);
    }

    /// <summary>Each part is with the server before the next is sent.</summary>
    private void SendInParts(string expected, params string[] parts)
    {
        using var client = _server.Connect(kind);
        foreach (var part in parts)
        {
            SendAndAwait(client, part);
        }

        Assert.That(client.Read(expected.Length), Is.EqualTo(expected));
    }

    private void SendAndAwait(string text) => SendAndAwait(_client, text);

    private void SendAndAwait(TransportClient client, string text)
    {
        var before = _server.ReceivedBytes;
        client.Send(text);
        TransportServer.Until(() => _server.ReceivedBytes - before == text.Length);
    }
}
