using System.Net.Security;
using System.Security.Authentication;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>Handshakes are made beside the workers.</summary>
internal sealed class TlsHandshakeTests
{
    private const int Attempts = 5;

    private TlsServerProcess _server = null!;

    [OneTimeSetUp]
    public void Start() => _server = new TlsServerProcess(
        ServerKind.Strata, "--workers", "1", "--enable-debug-command", "yes");

    [OneTimeTearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void A_handshake_does_not_wait_for_commands(
        [Values(SslProtocols.Tls12, SslProtocols.Tls13)] SslProtocols protocol)
    {
        using var client = _server.Process.Connect();
        Assert.That(Enumerable.Range(0, Attempts).Any(_ => IsMadeMeanwhile(client, protocol)));
    }

    [Test]
    public void What_follows_the_handshake_at_once_is_executed(
        [Values(SslProtocols.Tls12, SslProtocols.Tls13)] SslProtocols protocol, [Values(1, 100, 5000)] int commands)
    {
        // By TLS 1.3 the client's part of the handshake ends with what is sent, so that the commands go with it.
        using var stream = new SslStream(
            new JoinedStream(_server.ConnectPlain()),
            leaveInnerStreamOpen: false,
            static (_, certificate, _, _) => TestCertificates.IsOfAuthority(certificate));
        using var certificate = _server.Certificates.Load("client");
        stream.AuthenticateAsClient("server", [certificate], protocol, checkCertificateRevocation: false);
        stream.Write(Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("PING\r\n", commands))));

        var replies = new byte[commands * 7];
        stream.ReadExactly(replies);
        Assert.That(Encoding.Latin1.GetString(replies), Does.StartWith("+PONG\r\n").And.EndWith("+PONG\r\n"));
    }

    /// <summary>Whether a handshake has ended before the command at work. On a busy machine it may take longer.
    /// </summary>
    private bool IsMadeMeanwhile(RespConnection client, SslProtocols protocol)
    {
        using var socket = _server.ConnectPlain();
        Patience.Await(() => ServerInfo.Number(client, "tls", "tls_handshakes_under_way") == 1);
        client.Send("DEBUG", "SLEEP", "1");
        bool isFirst;
        using (var stream = _server.ShakeHands(socket, protocol))
        {
            isFirst = !client.HasInput(withinMs: 0);
            Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
            Assert.That(TlsServerProcess.Call(stream, "PING\r\n", 7), Is.EqualTo("+PONG\r\n"));
        }

        return isFirst;
    }
}
