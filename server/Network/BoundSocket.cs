using System.Net;
using System.Net.Sockets;
using Strata.Server.Lifecycle;
using Strata.Server.Options;

namespace Strata.Server.Network;

/// <summary>Opens one listening socket.</summary>
internal static class BoundSocket
{
    /// <summary>Binds to an address of a network and listens.</summary>
    /// <param name="endPoint">The address.</param>
    /// <param name="isOptional">Whether the machine may lack it.</param>
    /// <param name="backlog">How many connections may wait.</param>
    /// <returns>Null when the machine lacks what is optional.</returns>
    /// <exception cref="StartupException">It cannot be had; the text names cause and remedy.</exception>
    public static Socket? Open(IPEndPoint endPoint, bool isOptional, int backlog)
    {
        Socket? socket = null;
        try
        {
            socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            if (endPoint.AddressFamily == AddressFamily.InterNetworkV6)
            {
                socket.DualMode = false;
            }

            // .NET sets SO_REUSEADDR itself; asked for it, it sets SO_REUSEPORT too, and a taken port goes unnoticed.
            socket.Bind(endPoint);
            socket.Listen(backlog);
            return socket;
        }
        catch (SocketException exception)
        {
            socket?.Dispose();
            var isMissing = exception.SocketErrorCode is SocketError.AddressNotAvailable
                or SocketError.AddressFamilyNotSupported or SocketError.ProtocolNotSupported;
            return isOptional && isMissing ? null : throw CannotListen(endPoint.ToString(), exception);
        }
    }

    /// <summary>Binds to a path, in place of what is there, and listens.</summary>
    /// <exception cref="StartupException">It cannot be had; the text names cause and remedy.</exception>
    public static Socket OpenUnix(ServerOptions options)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            File.Delete(options.UnixSocketPath);
            socket.Bind(new UnixDomainSocketEndPoint(options.UnixSocketPath));
            if (options.UnixSocketMode != 0)
            {
                File.SetUnixFileMode(options.UnixSocketPath, (UnixFileMode)options.UnixSocketMode);
            }

            socket.Listen(options.TcpBacklog);
            return socket;
        }
        catch (Exception exception) when (exception is SocketException or IOException or UnauthorizedAccessException)
        {
            socket.Dispose();
            throw new StartupException(ExitCode.Listen,
                $"Cannot listen on the Unix socket {options.UnixSocketPath}: {FileError.Reason(exception)}; "
                + "correct 'unixsocket'.");
        }
    }

    /// <summary>What is told of an address that cannot be listened on.</summary>
    public static StartupException CannotListen(string address, SocketException exception)
    {
        var remedy = exception.SocketErrorCode switch
        {
            SocketError.AddressAlreadyInUse => "another process listens there: stop it, or choose another 'port'",
            SocketError.AddressNotAvailable => "this machine does not have that address: correct 'bind'",
            SocketError.AccessDenied => "ports below 1024 need privileges: choose another 'port'",
            _ => "correct 'bind' and 'port'",
        };
        return new StartupException(ExitCode.Listen, $"Cannot listen on {address}: {exception.Message}; {remedy}.");
    }
}
