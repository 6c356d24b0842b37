using System.Net;
using System.Net.Sockets;
using Strata.Server.Lifecycle;
using Strata.Server.Options;

namespace Strata.Server.Network;

/// <summary>Opens the sockets the configuration names: every address of <c>bind</c>, and <c>unixsocket</c>.</summary>
internal static class ListeningSockets
{
    /// <summary>Binds and listens.</summary>
    /// <exception cref="StartupException">An address that is not optional cannot be had.</exception>
    public static List<(Socket Socket, string? UnixPath)> Open(ServerOptions options, ServerLog log)
    {
        var sockets = new List<(Socket, string?)>();
        if (options.Port != 0)
        {
            foreach (var bind in options.Binds)
            {
                foreach (var address in Resolve(bind))
                {
                    TryOpen(sockets, new IPEndPoint(address, options.Port), bind.IsOptional, options.TcpBacklog, log);
                }
            }
        }

        if (options.UnixSocketPath.Length > 0)
        {
            sockets.Add((OpenUnix(options, log), options.UnixSocketPath));
        }

        return sockets;
    }

    private static IPAddress[] Resolve(BindAddress bind)
    {
        try
        {
            return bind.Resolve();
        }
        catch (SocketException exception)
        {
            throw CannotListen(bind.Host, exception);
        }
    }

    private static void TryOpen(
        List<(Socket, string?)> sockets, IPEndPoint endPoint, bool isOptional, int backlog, ServerLog log)
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
            sockets.Add((socket, null));
            log.Listening(endPoint.ToString());
        }
        catch (SocketException exception) when (isOptional && exception.SocketErrorCode is
            SocketError.AddressNotAvailable or SocketError.AddressFamilyNotSupported
            or SocketError.ProtocolNotSupported)
        {
            socket?.Dispose();
        }
        catch (SocketException exception)
        {
            socket?.Dispose();
            throw CannotListen(endPoint.ToString(), exception);
        }
    }

    private static StartupException CannotListen(string address, SocketException exception)
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

    private static Socket OpenUnix(ServerOptions options, ServerLog log)
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
        }
        catch (Exception exception) when (exception is SocketException or IOException or UnauthorizedAccessException)
        {
            socket.Dispose();
            throw new StartupException(ExitCode.Listen,
                $"Cannot listen on the Unix socket {options.UnixSocketPath}: {FileError.Reason(exception)}; "
                + "correct 'unixsocket'.");
        }

        log.Listening(options.UnixSocketPath);
        return socket;
    }
}
