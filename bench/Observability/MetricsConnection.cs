using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Strata.Bench.Observability;

/// <summary>A connection to metrics-port that stays open. It reads as little into the answers as it can: what is
/// measured is the server. One thread.</summary>
internal sealed class MetricsConnection : IDisposable
{
    private const int TimeoutMs = 10_000;

    private static readonly byte[] s_headEnd = "\r\n\r\n"u8.ToArray();
    private static readonly byte[] s_lastChunk = "\r\n0\r\n\r\n"u8.ToArray();

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
    {
        NoDelay = true,
        ReceiveTimeout = TimeoutMs,
        SendTimeout = TimeoutMs,
    };

    private readonly byte[] _buffer = new byte[1 << 20];
    private string _path = "";
    private int _length;

    /// <exception cref="BenchException">The port cannot be reached.</exception>
    public MetricsConnection(int port)
    {
        try
        {
            _socket.Connect(IPAddress.Loopback, port);
        }
        catch (SocketException e)
        {
            _socket.Dispose();
            throw new BenchException($"Cannot reach metrics-port {port}: {e.Message}", e);
        }
    }

    /// <summary>Asks for a path and reads the whole answer.</summary>
    /// <exception cref="BenchException">It is not there, or the server does not answer.</exception>
    public void Get(string path)
    {
        Begin(path);
        while (!IsWhole(_path, _length))
        {
            _length += Receive(_path, _length);
        }
    }

    /// <summary>Asks for a path, whose answer is read by <see cref="TryEnd"/>.</summary>
    public void Begin(string path)
    {
        (_path, _length) = (path, 0);
        Ask(path);
    }

    /// <summary>Reads what has come of the answer, without a wait.</summary>
    /// <returns>Whether it is whole.</returns>
    /// <exception cref="BenchException">It is not there, or the server does not answer.</exception>
    public bool TryEnd()
    {
        if (!_socket.Poll(0, SelectMode.SelectRead))
        {
            return false;
        }

        _length += Receive(_path, _length);
        return IsWhole(_path, _length);
    }

    /// <summary>Asks for a path and reads what comes, until the connection is ended (<see cref="End"/>).</summary>
    /// <exception cref="BenchException">It is not there, or the server ends it.</exception>
    public void Follow(string path, Func<bool> isEnded)
    {
        Ask(path);
        _ = Receive(path, 0);
        Check(path);
        while (!isEnded())
        {
            try
            {
                BenchException.Require(
                    _socket.Receive(_buffer) > 0 || isEnded(), $"The server has ended {path}.");
            }
            catch (SocketException) when (isEnded())
            {
                return;
            }
            catch (SocketException e)
            {
                throw new BenchException($"The server has ended {path}: {e.Message}", e);
            }
        }
    }

    /// <summary>Ends it; any thread.</summary>
    public void End() => _socket.Dispose();

    public void Dispose() => _socket.Dispose();

    private void Ask(string path)
        => _socket.Send(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n"));

    private int Receive(string path, int at)
    {
        try
        {
            BenchException.Require(at < _buffer.Length, $"The answer to {path} is longer than {_buffer.Length} bytes.");
            var received = _socket.Receive(_buffer.AsSpan(at));
            BenchException.Require(received > 0, $"The server did not answer {path}: it closed the connection.");
            return received;
        }
        catch (SocketException e)
        {
            throw new BenchException($"The server did not answer {path}: {e.Message}", e);
        }
    }

    private void Check(string path) => BenchException.Require(
        _buffer.AsSpan().StartsWith("HTTP/1.1 200 "u8), $"The server has no {path}: see its metrics-port.");

    private bool IsWhole(string path, int length)
    {
        var answer = _buffer.AsSpan(0, length);
        var headEnd = answer.IndexOf(s_headEnd);
        if (headEnd < 0)
        {
            return false;
        }

        Check(path);
        const string Length = "Content-Length: ";
        var head = Encoding.ASCII.GetString(answer[..headEnd]);
        var field = head.Split("\r\n").FirstOrDefault(
            line => line.StartsWith(Length, StringComparison.OrdinalIgnoreCase));
        return field == null
            ? answer.EndsWith(s_lastChunk)
            : length == headEnd + s_headEnd.Length
                + int.Parse(field.AsSpan(Length.Length), CultureInfo.InvariantCulture);
    }
}
