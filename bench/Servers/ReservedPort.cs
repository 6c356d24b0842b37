using System.Net;
using System.Net.Sockets;

namespace Strata.Bench.Servers;

/// <summary>
/// A free TCP port, kept for a server that is started later: a socket is bound to it and does not listen. As both have
/// SO_REUSEADDR, the server can listen there all the same, while the kernel gives the port to nobody who asks for any.
/// Keep it as long as the server may start again. Owned by one thread.
/// </summary>
internal sealed class ReservedPort : IDisposable
{
    private const int SolSocket = 1;
    private const int SoReuseAddress = 2;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    private ReservedPort()
    {
        // .NET's own option of that name sets SO_REUSEPORT as well, which lets two servers share a port unnoticed.
        _socket.SetRawSocketOption(SolSocket, SoReuseAddress, BitConverter.GetBytes(1));
        _socket.Bind(new IPEndPoint(IPAddress.Any, 0));
        Number = ((IPEndPoint)_socket.LocalEndPoint!).Port;
    }

    public int Number { get; }

    /// <summary>Reserves a port on all addresses.</summary>
    /// <exception cref="SocketException">No port is free.</exception>
    public static ReservedPort Take() => new();

    public void Dispose() => _socket.Dispose();
}
