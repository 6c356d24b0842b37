using System.Net;
using System.Net.Sockets;
using System.Text;
using NUnit.Framework;
using Strata.Server.Hosting.Health;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Hosting;

/// <summary>What the health check takes for an answer.</summary>
public sealed class PingProbeTests
{
    [TestCase("+PONG\r\n", true)]
    [TestCase("-NOAUTH Authentication required.\r\n", true)]
    [TestCase("-NOPERM User default has no permissions to run the 'ping' command\r\n", true)]
    [TestCase("-DENIED Redis is running in protected mode\r\n", true)]
    [TestCase("-ERR max number of clients reached\r\n", true)]
    [TestCase("-ERR internal error\r\n", false)]
    [TestCase("+PONGO\r\n", false)]
    [TestCase("HTTP/1.1 400 Bad Request\r\n", false)]
    public void Judges_the_reply_and_repeats_it(string reply, bool isAnswer)
    {
        using var server = Listen();
        var answering = Task.Run(() => Answer(server, reply));

        Assert.That(PingProbe.Answers(server.LocalEndPoint!, Patience.Ms, out var said), Is.EqualTo(isAnswer), said);
        Assert.That(said, Is.EqualTo($"{server.LocalEndPoint} answered a PING with: {reply.TrimEnd()}"));
        Assert.That(answering.Result, Is.EqualTo("*1\r\n$4\r\nPING\r\n"));
    }

    [Test]
    public void Reads_the_reply_of_a_server_that_closes_without_reading()
    {
        using var server = Listen();
        var answering = Task.Run(() =>
        {
            using var client = server.Accept();
            client.Send("-ERR max number of clients reached\r\n"u8);
        });

        Assert.That(PingProbe.Answers(server.LocalEndPoint!, Patience.Ms, out var said), Is.True, said);
        answering.Wait();
    }

    [TestCase("")]
    [TestCase("+PO")]
    public void Says_that_nothing_came_before_the_connection_ended(string beginning)
    {
        using var server = Listen();
        var answering = Task.Run(() =>
        {
            _ = Answer(server, beginning);
            server.Accept().Dispose(); // It is asked by TLS, too.
        });

        Assert.That(PingProbe.Answers(server.LocalEndPoint!, Patience.Ms, out var said), Is.False);
        Assert.That(said, Does.Contain("took the connection and did not answer"));
        answering.Wait();
    }

    [Test]
    public void Waits_for_no_longer_than_it_may()
    {
        using var server = Listen(); // The kernel takes the connection; nobody looks at it.
        Assert.That(PingProbe.Answers(server.LocalEndPoint!, 50, out var said), Is.False);
        Assert.That(said, Does.Contain("did not answer a PING within 50 ms"));
    }

    [Test]
    public void Says_that_nobody_listens()
    {
        EndPoint address;
        using (var server = Listen())
        {
            address = server.LocalEndPoint!;
        }

        Assert.That(PingProbe.Answers(address, Patience.Ms, out var said), Is.False);
        Assert.That(said, Is.EqualTo($"{address} cannot be asked: Connection refused"));
        address = PingProbe.UnixAddress("/no/such/strata.sock")!;
        Assert.That(PingProbe.Answers(address, Patience.Ms, out said), Is.False);
        Assert.That(said, Is.EqualTo("/no/such/strata.sock cannot be asked: No such file or directory"));
    }

    private static Socket Listen()
    {
        var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        server.Listen();
        return server;
    }

    private static string Answer(Socket server, string reply)
    {
        using var client = server.Accept();
        var request = new byte[14];
        var length = 0;
        while (length < request.Length)
        {
            length += client.Receive(request.AsSpan(length));
        }

        client.Send(Encoding.ASCII.GetBytes(reply));
        return Encoding.ASCII.GetString(request);
    }
}
