using System.Net.Sockets;
using System.Text;

namespace Strata.Tests.Support;

/// <summary>What systemd has for a service: a Unix socket that takes the datagrams of sd_notify(3).</summary>
public sealed class NotifySocket : IDisposable
{
    private const int MaxDatagramBytes = 4096;

    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified)
    {
        ReceiveTimeout = Patience.Ms,
    };

    /// <summary>Binds the socket.</summary>
    /// <param name="name">A path, or a name of the abstract space with <c>@</c> before it.</param>
    public NotifySocket(string name)
    {
        Name = name;
        _socket.Bind(new UnixDomainSocketEndPoint(name.StartsWith('@') ? "\0" + name[1..] : name));
    }

    /// <summary>The value for NOTIFY_SOCKET.</summary>
    public string Name { get; }

    /// <summary>Whether there is nothing that was sent and not received.</summary>
    public bool IsEmpty => _socket.Available == 0;

    /// <summary>The next datagram; waits for it.</summary>
    /// <exception cref="SocketException">None comes.</exception>
    public string Receive()
    {
        var buffer = new byte[MaxDatagramBytes];
        return Encoding.UTF8.GetString(buffer, 0, _socket.Receive(buffer));
    }

    public void Dispose() => _socket.Dispose();
}
