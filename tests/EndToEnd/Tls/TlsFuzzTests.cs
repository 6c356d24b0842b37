using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;
using Strata.Tests.Support.Fuzzing;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>
/// Handshakes and records of TLS 1.2 and 1.3 in which bytes were changed: each costs that connection alone, and leaves
/// no memory behind. <see cref="FuzzRun"/> says how it goes on for hours.
/// </summary>
internal sealed class TlsFuzzTests
{
    private const int MostWrites = 6;
    private const int PatienceMs = 200;
    private const int CasesBetweenLooks = 100;
    private const long SlackBytes = 4 << 20;

    private TlsServerProcess _server = null!;

    [OneTimeSetUp]
    public void Start() => _server = new TlsServerProcess(ServerKind.Strata, "--workers", "1");

    [OneTimeTearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void Changed_records_end_that_connection()
    {
        var (tried, refused) = (0, 0);
        var before = UsedBytes();
        FuzzRun.Of(150, random =>
        {
            refused += Served(random) ? 0 : 1;
            if (++tried % CasesBetweenLooks == 0)
            {
                Assert.That(_server.Serves(), _server.Process.Output);
                Await(() => UsedBytes() < before + SlackBytes);
            }
        });

        Assert.That(_server.Serves(), _server.Process.Output);
        Assert.That(refused, Is.InRange(1, tried));
    }

    /// <summary>Talks with the server by way of a stream that changes what is sent.</summary>
    /// <returns>Whether the answer came all the same.</returns>
    private bool Served(Random random)
    {
        using var socket = _server.ConnectPlain();
        socket.ReceiveTimeout = PatienceMs; // The server may wait for the rest of a record.
        var isCut = random.Next(4) != 0;
        using var stream = new SslStream(new DamagedStream(
            new NetworkStream(socket), random, random.Next(MostWrites), isCut ? socket : null));
        using var certificate = _server.Certificates.Load("client");
        try
        {
            stream.AuthenticateAsClient(new SslClientAuthenticationOptions
            {
                TargetHost = "server",
                EnabledSslProtocols = random.Next(2) == 0 ? SslProtocols.Tls12 : SslProtocols.Tls13,
                ClientCertificates = [certificate],
                RemoteCertificateValidationCallback =
                    static (_, certificate, _, _) => TestCertificates.IsOfAuthority(certificate),
            });
            for (var i = 0; i < MostWrites; i++)
            {
                stream.Write(Encoding.ASCII.GetBytes($"ECHO {new string('x', random.Next(1, 3000))}\r\n"));
            }

            socket.Shutdown(SocketShutdown.Send);
            while (stream.ReadByte() >= 0)
            {
            }

            return true;
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException or SocketException)
        {
            return false;
        }
    }

    private long UsedBytes()
    {
        using var client = _server.Process.Connect();
        return ServerInfo.Number(client, "memory", "used_memory");
    }

    private static void Await(Func<bool> condition)
    {
        var deadline = Environment.TickCount64 + Patience.Ms;
        while (!condition())
        {
            Assert.That(Environment.TickCount64, Is.LessThan(deadline));
            Thread.Sleep(20);
        }
    }
}
