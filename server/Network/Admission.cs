using System.Text;
using Strata.Server.Options;

namespace Strata.Server.Network;

/// <summary>Who may connect, and how an accepted socket is set up.</summary>
internal static unsafe class Admission
{
    // The first sentence is the one that clients of Redis know; the ways out are this server's.
    private static readonly byte[] s_denied = Encoding.ASCII.GetBytes(
        "-DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the "
        + "default user. Only clients on the server's own machine are let in then. To let others in, do one of these: "
        + "set a password with 'requirepass' in the conf file, with --requirepass, or with CONFIG SET requirepass from "
        + "the server's machine; or, where the network itself keeps strangers out, set 'protected-mode no' in one of "
        + "these places. CONFIG REWRITE makes a CONFIG SET last.\r\n");

    /// <summary>What a client that may not connect is told; empty when it may.</summary>
    /// <param name="options">The options in force.</param>
    /// <param name="clients">How many are connected.</param>
    /// <param name="address">Where it comes from.</param>
    /// <param name="isOpen">Whether clients need no password.</param>
    public static ReadOnlySpan<byte> RefusalOf(
        ServerOptions options, long clients, ClientAddress address, bool isOpen)
    {
        if (clients >= options.MaxClients)
        {
            return "-ERR max number of clients reached\r\n"u8;
        }

        if (options.ProtectedMode && isOpen && !address.IsLoopback)
        {
            return s_denied;
        }

        return default;
    }

    /// <summary>What a client is told in place of that with which a handshake of TLS is about to begin: the alert
    /// access_denied (RFC 8446, 6.2), which can be read before it.</summary>
    public static ReadOnlySpan<byte> TlsRefusal => [21, 3, 3, 0, 2, 2, 49];

    /// <summary>Sends the reason, as far as the socket takes it, and closes.</summary>
    public static void TurnAway(int fd, ReadOnlySpan<byte> reason)
    {
        fixed (byte* start = reason)
        {
            _ = SocketCalls.Send(fd, start, (nuint)reason.Length, SocketCalls.MessageNoSignal);
        }

        _ = SocketCalls.Close(fd);
    }

    /// <summary>Sets a TCP socket's options. One that refuses them has been closed by its peer, which the first receive
    /// tells.</summary>
    public static void SetUp(int fd, ServerOptions options)
    {
        _ = SocketCalls.SetNoDelay(fd, 1);
        if (options.TcpKeepaliveSeconds > 0)
        {
            _ = SocketCalls.SetKeepAlive(fd, options.TcpKeepaliveSeconds);
        }
    }
}
