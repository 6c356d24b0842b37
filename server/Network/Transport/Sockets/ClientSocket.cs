using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Server.Network.Transport.Sockets;

/// <summary>One client's socket, non-blocking. What the kernel says is put in three cases: bytes went, none go now,
/// the connection has ended.</summary>
/// <param name="Descriptor">The file descriptor.</param>
internal readonly unsafe record struct ClientSocket(int Descriptor)
{
    /// <summary>Receives what there is.</summary>
    /// <returns>Bytes received; 0 when there are none now; -1 when the connection has ended.</returns>
    public int Receive(byte* buffer, int bytes)
    {
        var received = SocketCalls.Receive(Descriptor, buffer, (nuint)bytes, 0);
        return received > 0 ? (int)received
            : received == 0 || !IsTransient(Marshal.GetLastPInvokeError()) ? -1
            : 0;
    }

    /// <summary>Sends what the socket takes.</summary>
    /// <returns>Bytes sent; -1 when the connection has ended.</returns>
    public long Send(byte* bytes, long length)
    {
        long total = 0;
        length = Math.Min(length, ServerLimits.MaxSentBytes);
        while (total < length)
        {
            var left = (nuint)(length - total);
            var sent = SocketCalls.Send(Descriptor, bytes + total, left, SocketCalls.MessageNoSignal);
            if (sent < 0)
            {
                return IsTransient(Marshal.GetLastPInvokeError()) ? total : -1;
            }

            total += sent;
        }

        return total;
    }

    /// <summary>Sends what the socket takes of several stretches of memory, with one call.</summary>
    /// <returns>Bytes sent; -1 when the connection has ended.</returns>
    public long Send(IoVector* parts, int count)
    {
        var message = new MessageHeader(parts, count);
        var sent = SocketCalls.Send(Descriptor, &message, SocketCalls.MessageNoSignal);
        return sent >= 0 ? sent : IsTransient(Marshal.GetLastPInvokeError()) ? 0 : -1;
    }

    /// <summary>Tells the client that no more comes.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TryShutWrite() => SocketCalls.Shutdown(Descriptor, SocketCalls.ShutdownWrite) == 0;

    /// <summary>Bytes sent, with the end of them, that have not arrived at a TCP client's machine yet, or that a client
    /// on this machine has not received.</summary>
    public int UnacknowledgedBytes()
    {
        int bytes;
        return SocketCalls.Control(Descriptor, SocketCalls.OutputQueue, &bytes) == 0 ? bytes : 0;
    }

    /// <summary>Bytes that have come and were not received.</summary>
    public int UnreceivedBytes()
    {
        int bytes;
        return SocketCalls.Control(Descriptor, SocketCalls.InputQueue, &bytes) == 0 ? bytes : 0;
    }

    /// <summary>Gives the descriptor back.</summary>
    public void Close() => _ = SocketCalls.Close(Descriptor);

    private static bool IsTransient(int errno) => errno is SocketCalls.TryAgain or SocketCalls.Interrupted;
}
