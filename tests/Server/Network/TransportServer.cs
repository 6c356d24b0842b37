using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Bench.Servers;
using Strata.Server;
using Strata.Server.Lifecycle;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Network;

/// <summary>A server of one worker in the tests' process that every transport reaches.</summary>
internal sealed class TransportServer : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("strata-transport").FullName;
    private readonly ReservedPort _port = ReservedPort.Take();
    private readonly ReservedPort _tlsPort = ReservedPort.Take();
    private readonly TestCertificates _certificates = new();
    private bool _isStopped;

    public TransportServer(params string[] flags)
    {
        Server = UnstartedServer.Create(
        [
            "--port", Text(_port), "--tls-port", Text(_tlsPort), "--bind", "127.0.0.1", "--unixsocket", SocketPath,
            "--workers", "1", "--dir", _folder, .. _certificates.Flags, .. flags,
        ]);
        Server.Start();
    }

    public StrataServer Server { get; }

    /// <summary>Bytes that the worker has taken from its clients.</summary>
    public long ReceivedBytes => Server.Workers[0].ReceivedBytes;

    private string SocketPath => Path.Combine(_folder, "socket");

    public TransportClient Connect(TransportKind kind)
    {
        if (kind == TransportKind.InProcess)
        {
            return new TransportClient(Server.Connect());
        }

        var isTcp = kind != TransportKind.Unix;
        var socket = new Socket(
            isTcp ? AddressFamily.InterNetwork : AddressFamily.Unix,
            SocketType.Stream,
            isTcp ? ProtocolType.Tcp : ProtocolType.Unspecified);
        EndPoint address = isTcp
            ? new IPEndPoint(IPAddress.Loopback, kind == TransportKind.Tls ? _tlsPort.Number : _port.Number)
            : new UnixDomainSocketEndPoint(SocketPath);
        socket.Connect(address);
        return kind == TransportKind.Tls ? ConnectTls(socket) : new TransportClient(socket);
    }

    /// <summary>Waits for something that must come about.</summary>
    public static void Until(Func<bool> condition)
    {
        while (!condition())
        {
            Thread.Yield();
        }
    }

    public void Stop()
    {
        Server.Stop(TimeSpan.FromSeconds(10));
        _isStopped = true;
    }

    public void Dispose()
    {
        if (!_isStopped)
        {
            Stop();
        }

        Assert.That(Server.Context.Shutdown.ExitCode, Is.EqualTo(ExitCode.Ok), "no worker failed");
        Server.Dispose();
        _port.Dispose();
        _tlsPort.Dispose();
        _certificates.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static string Text(ReservedPort port) => port.Number.ToString(CultureInfo.InvariantCulture);

    private TransportClient ConnectTls(Socket socket)
    {
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        using var certificate = _certificates.Load("client");
        stream.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "server",
            ClientCertificates = [certificate],
            RemoteCertificateValidationCallback =
                static (_, certificate, _, _) => TestCertificates.IsOfAuthority(certificate),
        });
        return new TransportClient(socket, stream);
    }
}
