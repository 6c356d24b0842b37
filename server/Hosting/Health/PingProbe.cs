using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;

namespace Strata.Server.Hosting.Health;

/// <summary>One PING to one address, over a connection of its own; over another by TLS, where a server closes the first
/// without a word, as one does that speaks nothing else there.</summary>
internal static class PingProbe
{
    private const int MaxLineBytes = 1024;
    private const byte TlsAlert = 21; // RFC 8446, 5.1
    private const string TurnedAway = "an alert of TLS: it lets nobody in now";

    /// <summary>What a server says that lives, and lets this client not in, or calls PING otherwise: no reason to start
    /// it anew.</summary>
    private static readonly string[] s_refusals =
        ["-NOAUTH", "-NOPERM", "-DENIED", "-ERR max number of clients", "-ERR unknown command"];

    /// <summary>Whether a server answers there.</summary>
    /// <param name="address">Where; an address that means all of a family stands for its loopback.</param>
    /// <param name="patienceMs">How long it may take in all, in milliseconds.</param>
    /// <param name="said">A sentence without its full stop: who answered what, or what went wrong.</param>
    public static bool Answers(EndPoint address, int patienceMs, out string said)
    {
        var target = Reachable(address);
        using var socket = SocketFor(target);
        try
        {
            socket.Blocking = false;
            var clock = Stopwatch.StartNew();
            int Left() => Math.Max(0, patienceMs - (int)clock.ElapsedMilliseconds);
            if (!TryConnect(socket, target, Left()))
            {
                said = $"{target} takes no connection within {patienceMs} ms";
                return false;
            }

            // A server that turns a client away says why and closes without reading: that can be received all the same.
            _ = socket.Send("*1\r\n$4\r\nPING\r\n"u8, SocketFlags.None, out _);
            var reply = ReadLine(socket, Left);
            if (reply is null && target is IPEndPoint && Left() > 0)
            {
                using var other = SocketFor(target);
                other.Connect(target);
                reply = TlsProbe.Ask(other, Left());
            }

            return Judge(target, reply, patienceMs, out said);
        }
        catch (SocketException error)
        {
            // .NET has no error for a file that does not exist and takes this one.
            var cause = target is UnixDomainSocketEndPoint && error.SocketErrorCode == SocketError.AddressNotAvailable
                ? "No such file or directory"
                : Marshal.GetPInvokeErrorMessage(error.NativeErrorCode);
            said = $"{target} cannot be asked: {cause}";
            return false;
        }
    }

    /// <summary>The address of a Unix socket by its full path; null when that is longer than an address may be, as it
    /// can be where the server itself took a short path from its own folder.</summary>
    public static EndPoint? UnixAddress(string path)
    {
        try
        {
            return new UnixDomainSocketEndPoint(path);
        }
        catch (ArgumentOutOfRangeException)
        {
            return null;
        }
    }

    private static EndPoint Reachable(EndPoint address) => address switch
    {
        IPEndPoint ip when ip.Address.Equals(IPAddress.Any) => new IPEndPoint(IPAddress.Loopback, ip.Port),
        IPEndPoint ip when ip.Address.Equals(IPAddress.IPv6Any) => new IPEndPoint(IPAddress.IPv6Loopback, ip.Port),
        _ => address,
    };

    private static Socket SocketFor(EndPoint target) => new(
        target.AddressFamily,
        SocketType.Stream,
        target is IPEndPoint ? ProtocolType.Tcp : ProtocolType.Unspecified);

    private static bool TryConnect(Socket socket, EndPoint target, int patienceMs)
    {
        try
        {
            socket.Connect(target);
            return true;
        }
        catch (SocketException error) when (error.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            if (!socket.Poll(TimeSpan.FromMilliseconds(patienceMs), SelectMode.SelectWrite))
            {
                return false;
            }
        }

        var outcome = (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        return outcome == 0 ? true : throw new SocketException(outcome);
    }

    /// <summary>The reply's first line; null when its end did not come in time, or ever.</summary>
    private static string? ReadLine(Socket socket, Func<int> left)
    {
        var line = new byte[MaxLineBytes];
        var length = 0;
        while (length < line.Length && socket.Poll(TimeSpan.FromMilliseconds(left()), SelectMode.SelectRead))
        {
            var received = socket.Receive(line.AsSpan(length), SocketFlags.None, out var error);
            if (received == 0 && error is SocketError.Success or SocketError.ConnectionReset)
            {
                return null;
            }

            length += error == SocketError.Success ? received : throw new SocketException((int)error);
            if (line[0] == TlsAlert)
            {
                return TurnedAway;
            }

            if (line.AsSpan(0, length).IndexOf((byte)'\n') is >= 0 and var end)
            {
                return Encoding.Latin1.GetString(line.AsSpan(0, end)).TrimEnd('\r');
            }
        }

        return null;
    }

    private static bool Judge(EndPoint target, string? reply, int patienceMs, out string said)
    {
        if (reply is null)
        {
            said = $"{target} took the connection and did not answer a PING within {patienceMs} ms";
            return false;
        }

        said = $"{target} answered a PING with: {reply}";
        return reply is "+PONG" or TurnedAway or TlsProbe.CertificateAsked
            || s_refusals.Any(start => reply.StartsWith(start, StringComparison.Ordinal));
    }
}
