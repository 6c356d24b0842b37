using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using Strata.Tests.Support;
using ReservedPort = Strata.Bench.Servers.ReservedPort;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>A server that speaks TLS at a port beside its own, and clients of it.</summary>
internal sealed class TlsServerProcess : IDisposable
{
    private readonly ReservedPort _port = ReservedPort.Take();

    public TlsServerProcess(ServerKind kind, params string[] flags)
    {
        Process = ServerProcess.Start(kind, ["--tls-port", PortText, .. Certificates.Flags, .. flags]);
    }

    public ServerProcess Process { get; }

    public TestCertificates Certificates { get; } = new();

    public int Port => _port.Number;

    public string PortText => Port.ToString(CultureInfo.InvariantCulture);

    /// <summary>Connects, and ends the handshake as far as the client knows.</summary>
    /// <param name="protocols">What the client speaks.</param>
    /// <param name="certificate">What it shows; null for nothing.</param>
    public SslStream Connect(SslProtocols protocols = SslProtocols.None, string? certificate = "client")
        => ShakeHands(ConnectPlain(), protocols, certificate);

    /// <summary>Makes the handshake, as far as the client knows, over a connection, which it takes over.</summary>
    public SslStream ShakeHands(
        Socket socket, SslProtocols protocols = SslProtocols.None, string? certificate = "client")
    {
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        using var own = certificate == null ? null : Certificates.Load(certificate);
        stream.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "server",
            EnabledSslProtocols = protocols,
            ClientCertificates = own == null ? [] : [own],
            RemoteCertificateValidationCallback =
                static (_, certificate, _, _) => TestCertificates.IsOfAuthority(certificate),
        });
        return stream;
    }

    /// <summary>A connection without a handshake.</summary>
    public Socket ConnectPlain()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            ReceiveTimeout = Patience.Ms,
            SendTimeout = Patience.Ms,
        };
        socket.Connect(new IPEndPoint(IPAddress.Loopback, Port));
        return socket;
    }

    /// <summary>Sends, and reads as many bytes as are expected.</summary>
    public static string Call(SslStream stream, string text, int bytes)
    {
        stream.Write(Encoding.Latin1.GetBytes(text));
        var reply = new byte[bytes];
        stream.ReadExactly(reply);
        return Encoding.Latin1.GetString(reply);
    }

    /// <summary>Whether a client gets through, and is answered.</summary>
    public bool Serves(SslProtocols protocols = SslProtocols.None, string? certificate = "client")
    {
        try
        {
            using var stream = Connect(protocols, certificate);
            return Call(stream, "PING\r\n", 7) == "+PONG\r\n";
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException)
        {
            return false;
        }
    }

    /// <summary>Runs openssl s_client against it.</summary>
    /// <returns>All that it wrote.</returns>
    public string OpenSsl(string input, params string[] arguments) => OpenSslOver($"printf '{input}'", arguments);

    /// <summary>Runs openssl s_client against it.</summary>
    /// <param name="writer">Commands of a shell that write its input.</param>
    /// <param name="arguments">Its options.</param>
    /// <returns>All that it wrote.</returns>
    public string OpenSslOver(string writer, params string[] arguments)
    {
        string[] command =
        [
            "-c", $"({writer}) | timeout 10 openssl s_client -connect 127.0.0.1:{PortText} \"$@\" 2>&1", "sh",
            "-cert", Certificates.Certificate("client"), "-key", Certificates.Key("client"), .. arguments,
        ];
        return ProgramRun.Run("/bin/sh", command).Output;
    }

    public void Dispose()
    {
        Process.Dispose();
        _port.Dispose();
        Certificates.Dispose();
    }
}
