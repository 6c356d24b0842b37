using System.Security.Authentication;
using NUnit.Framework;
using StackExchange.Redis;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>Who is let in by TLS, and who is not; certificates that are exchanged while the server runs.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
internal sealed class TlsTests(ServerKind kind)
{
    [TestCase("yes", "client", true)]
    [TestCase("yes", "stranger", false)]
    [TestCase("yes", null, false)]
    [TestCase("optional", "client", true)]
    [TestCase("optional", "stranger", false)]
    [TestCase("optional", null, true)]
    [TestCase("no", "stranger", true)]
    [TestCase("no", null, true)]
    public void Clients_are_asked_for_certificates(string asks, string? certificate, bool isServed)
    {
        using var server = new TlsServerProcess(kind, "--tls-auth-clients", asks);
        Assert.That(server.Serves(SslProtocols.Tls12, certificate), Is.EqualTo(isServed));
        Assert.That(server.Serves(SslProtocols.Tls13, certificate), Is.EqualTo(isServed));
    }

    /// <summary>Also where a client need not show any.</summary>
    [Test]
    public void A_certificate_that_has_expired_is_refused()
    {
        const double MinutesAgo = -20.0 / (24 * 60); // It was made an hour ago.
        using var server = new TlsServerProcess(kind, "--tls-auth-clients", "optional");
        server.Certificates.Issue("expired", MinutesAgo);
        Assert.That(server.Serves(SslProtocols.Tls12, "expired"), Is.False);
        Assert.That(server.Serves(SslProtocols.Tls13, "expired"), Is.False);
        Assert.That(server.Serves(SslProtocols.Tls13, certificate: null));
    }

    [TestCase("", true, true)]
    [TestCase("TLSv1.2", true, false)]
    [TestCase("TLSv1.3", false, true)]
    [TestCase("tlsv1.3 TLSv1.2", true, true)]
    public void Protocols_are_those_that_are_named(string protocols, bool isOld, bool isNew)
    {
        using var server = new TlsServerProcess(kind, "--tls-protocols", protocols);
        Assert.That(server.Serves(SslProtocols.Tls12), Is.EqualTo(isOld));
        Assert.That(server.Serves(SslProtocols.Tls13), Is.EqualTo(isNew));
        Assert.That(server.OpenSsl("PING\\r\\n", "-tls1_1"), Does.Not.Contain("+PONG"));
    }

    [Test]
    public void Ciphers_are_those_that_are_named()
    {
        using var server = new TlsServerProcess(
            kind,
            "--tls-ciphers", "ECDHE-ECDSA-AES128-GCM-SHA256",
            "--tls-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256");
        Assert.That(server.OpenSsl("", "-tls1_2"), Does.Contain("Cipher is ECDHE-ECDSA-AES128-GCM-SHA256"));
        Assert.That(server.OpenSsl("", "-tls1_3"), Does.Contain("Cipher is TLS_CHACHA20_POLY1305_SHA256"));
        Assert.That(
            server.OpenSsl("", "-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384"),
            Does.Contain("handshake failure"));
    }

    [Test]
    public void A_certificate_is_exchanged_without_a_restart()
    {
        using var server = new TlsServerProcess(kind);
        using var old = server.Connect();
        server.Certificates.Issue("other");
        using var client = server.Process.Connect();
        string[] set =
        [
            "CONFIG", "SET", "tls-cert-file", server.Certificates.Certificate("other"),
            "tls-key-file", server.Certificates.Key("other"),
        ];
        Assert.That(client.Call(set).Text, Is.EqualTo("OK"));
        Assert.That(server.OpenSsl(""), Does.Contain("subject=CN = other"));

        // What lies at the same path has changed.
        File.Copy(server.Certificates.Certificate("server"), server.Certificates.Certificate("other"), true);
        File.Copy(server.Certificates.Key("server"), server.Certificates.Key("other"), true);
        Assert.That(client.Call(set).Text, Is.EqualTo("OK"));
        Assert.That(server.OpenSsl(""), Does.Contain("subject=CN = server"));
        Assert.That(TlsServerProcess.Call(old, "PING\r\n", 7), Is.EqualTo("+PONG\r\n"), "who is there stays");
    }

    /// <summary>Who was let in by the former one is so no more.</summary>
    [Test]
    public void An_authority_is_exchanged_without_a_restart()
    {
        using var server = new TlsServerProcess(kind);
        Assert.That((server.Serves(), server.Serves(certificate: "stranger")), Is.EqualTo((true, false)));
        using var client = server.Process.Connect();
        var stranger = server.Certificates.Certificate("stranger");
        Assert.That(client.Call("CONFIG", "SET", "tls-ca-cert-file", stranger).Text, Is.EqualTo("OK"));
        Assert.That((server.Serves(), server.Serves(certificate: "stranger")), Is.EqualTo((false, true)));
    }

    [TestCase("tls-cert-file", "/nowhere")]
    [TestCase("tls-key-file", "")]
    [TestCase("tls-ca-cert-file", "")]
    [TestCase("tls-ciphers", "none-such")]
    [TestCase("tls-protocols", "SSLv3")]
    public void What_cannot_be_used_changes_nothing(string name, string value)
    {
        using var server = new TlsServerProcess(kind);
        using var client = server.Process.Connect();
        var before = client.Call("CONFIG", "GET", name).Items[1].Text;
        Assert.That(
            client.Call("CONFIG", "SET", name, value).Text,
            Is.EqualTo($"ERR CONFIG SET failed (possibly related to argument '{name}') - "
                + "Unable to update TLS configuration. Check server logs."));
        Assert.That(client.Call("CONFIG", "GET", name).Items[1].Text, Is.EqualTo(before));
        Assert.That(server.Serves());
    }

    [Test]
    public void The_port_is_opened_and_closed_while_the_server_runs()
    {
        using var server = new TlsServerProcess(kind);
        using var client = server.Process.Connect();
        Assert.That(client.Call("CONFIG", "SET", "tls-port", "0").Text, Is.EqualTo("OK"));
        Assert.That(() => server.ConnectPlain(), Throws.InstanceOf<System.Net.Sockets.SocketException>());
        Assert.That(client.Call("CONFIG", "SET", "tls-port", server.PortText).Text, Is.EqualTo("OK"));
        Assert.That(server.Serves());

        Assert.That(client.Call("CONFIG", "SET", "port", "0").Text, Is.EqualTo("OK"));
        Assert.That(server.Serves());
        Assert.That(client.Call("INFO", "server").Text, Does.Contain($"tcp_port:{server.PortText}\r\n"));
    }

    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task StackExchange_Redis_works(SslProtocols protocol)
    {
        using var server = new TlsServerProcess(kind);
        using var certificate = server.Certificates.Load("client");
        var options = new ConfigurationOptions
        {
            EndPoints = { { "127.0.0.1", server.Port } },
            Ssl = true,
            SslProtocols = protocol,
            ConnectTimeout = Patience.Ms,
            AsyncTimeout = Patience.Ms,
        };
        options.CertificateSelection += (_, _, _, _, _) => certificate;
        options.CertificateValidation += static (_, certificate, _, _) => TestCertificates.IsOfAuthority(certificate);
        await using var client = await ConnectionMultiplexer.ConnectAsync(options).ConfigureAwait(false);
        var database = client.GetDatabase();
        var values = await Task.WhenAll(Enumerable.Range(0, 1000).Select(async i =>
        {
            await database.StringSetAsync($"k{i}", new string('v', i)).ConfigureAwait(false);
            return await database.StringGetAsync($"k{i}").ConfigureAwait(false);
        })).ConfigureAwait(false);
        Assert.That(values.Select(value => ((string?)value)!.Length), Is.EqualTo(Enumerable.Range(0, 1000)));
    }

    [Test]
    public void A_session_is_gone_on_with()
    {
        using var server = new TlsServerProcess(kind);
        var session = Path.Combine(server.Certificates.Folder, "session");
        foreach (var protocol in new[] { "-tls1_2", "-tls1_3" })
        {
            _ = server.OpenSsl("QUIT\\r\\n", protocol, "-ign_eof", "-sess_out", session);
            var again = server.OpenSsl("QUIT\\r\\n", protocol, "-ign_eof", "-sess_in", session);
            Assert.That(again, Does.Contain("Reused, TLSv1."));
        }
    }
}
