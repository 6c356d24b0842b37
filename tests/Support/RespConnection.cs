using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Strata.Tests.Support;

/// <summary>
/// A plain blocking client for tests: raw bytes out, replies in. A reply that doesn't come in time throws
/// <see cref="TimeoutException"/> with what was received so far; a closed connection throws
/// <see cref="EndOfStreamException"/>. Used by one thread.
/// </summary>
public sealed class RespConnection : IDisposable
{
    public const int DefaultTimeoutMs = Patience.Ms;

    private readonly Socket _socket;
    private byte[] _buffer = new byte[16 * 1024];
    private int _start;
    private int _end;

    private RespConnection(Socket socket, EndPoint endPoint, int timeoutMs)
    {
        _socket = socket;
        _socket.ReceiveTimeout = timeoutMs;
        _socket.SendTimeout = timeoutMs;
        EndPoint = endPoint;
    }

    public EndPoint EndPoint { get; }

    public Socket Socket => _socket;

    public static RespConnection Connect(int port, int timeoutMs = DefaultTimeoutMs) =>
        Connect(new IPEndPoint(IPAddress.Loopback, port), timeoutMs);

    public static RespConnection ConnectUnix(string path, int timeoutMs = DefaultTimeoutMs) =>
        Connect(new UnixDomainSocketEndPoint(path), timeoutMs);

    public static RespConnection Connect(EndPoint endPoint, int timeoutMs = DefaultTimeoutMs)
    {
        var isTcp = endPoint is IPEndPoint;
        var socket = new Socket(
            endPoint.AddressFamily, SocketType.Stream, isTcp ? ProtocolType.Tcp : ProtocolType.Unspecified);
        try
        {
            if (isTcp)
            {
                socket.NoDelay = true;
            }

            socket.Connect(endPoint);
            return new RespConnection(socket, endPoint, timeoutMs);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public void SendRaw(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[_socket.Send(bytes)..];
        }
    }

    /// <summary>Sends chars as bytes (Latin-1).</summary>
    public void SendRaw(string text) => SendRaw(Encoding.Latin1.GetBytes(text));

    public void Send(RespCommand command) => SendRaw(command.Encode());

    /// <summary>Sends commands in one go.</summary>
    public void Send(IEnumerable<RespCommand> commands)
        => SendRaw(commands.SelectMany(command => command.Encode()).ToArray());

    public void Send(params string[] arguments) => Send(RespCommand.Of(arguments));

    /// <summary>Sends a command and reads its reply.</summary>
    public RespValue Call(params string[] arguments) => Call(RespCommand.Of(arguments));

    public RespValue Call(RespCommand command)
    {
        Send(command);
        return ReadReply();
    }

    public RespValue ReadReply()
    {
        var line = ReadLine();
        if (line.Length == 0)
        {
            throw new InvalidDataException($"An empty line where a reply should start, from {EndPoint}.");
        }

        var kind = line[0];
        var rest = line.AsSpan(1).ToArray();
        return kind switch
        {
            (byte)'+' => new RespValue(RespKind.SimpleString, rest),
            (byte)'-' => new RespValue(RespKind.Error, rest),
            (byte)':' => new RespValue(RespKind.Integer, rest),
            (byte)'#' => new RespValue(RespKind.Boolean, rest),
            (byte)',' => new RespValue(RespKind.Double, rest),
            (byte)'(' => new RespValue(RespKind.BigNumber, rest),
            (byte)'_' => new RespValue(RespKind.Null, rest),
            (byte)'$' => ReadBlob(RespKind.BulkString, rest),
            (byte)'!' => ReadBlob(RespKind.BlobError, rest),
            (byte)'=' => ReadBlob(RespKind.Verbatim, rest),
            (byte)'*' => ReadItems(RespKind.Array, rest, perEntry: 1),
            (byte)'~' => ReadItems(RespKind.Set, rest, perEntry: 1),
            (byte)'>' => ReadItems(RespKind.Push, rest, perEntry: 1),
            (byte)'%' => ReadItems(RespKind.Map, rest, perEntry: 2),
            (byte)'|' => ReadAttribute(rest),
            _ => throw new InvalidDataException($"Not a reply: {RespPrinter.Quote(line)}, from {EndPoint}."),
        };
    }

    /// <summary>Everything the server still sends until it closes the connection.</summary>
    /// <exception cref="TimeoutException">The server neither sends nor closes in time.</exception>
    public byte[] ReadToEnd()
    {
        while (TryFill())
        {
        }

        return TakeBuffered();
    }

    /// <summary>The bytes that have arrived, at least one; none when the server has closed the connection.</summary>
    /// <exception cref="TimeoutException">Nothing arrives in time.</exception>
    public byte[] ReadSome()
    {
        if (_start == _end)
        {
            TryFill();
        }

        return TakeBuffered();
    }

    /// <summary>Whether something arrives, or the server closes the connection, within the given time.</summary>
    public bool HasInput(int withinMs) =>
        _start < _end || _socket.Poll(TimeSpan.FromMilliseconds(withinMs), SelectMode.SelectRead);

    public void Dispose() => _socket.Dispose();

    private byte[] TakeBuffered()
    {
        var bytes = _buffer.AsSpan(_start, _end - _start).ToArray();
        _start = _end;
        return bytes;
    }

    private RespValue ReadBlob(RespKind kind, byte[] lengthText)
    {
        var length = ParseLength(lengthText);
        if (length < 0)
        {
            return new RespValue(RespKind.NullBulk, Array.Empty<byte>());
        }

        Need(length + 2);
        var bytes = _buffer.AsSpan(_start, length).ToArray();
        if (_buffer[_start + length] != '\r' || _buffer[_start + length + 1] != '\n')
        {
            throw new InvalidDataException($"A bulk string of {length} bytes without CRLF, from {EndPoint}.");
        }

        _start += length + 2;
        return new RespValue(kind, bytes);
    }

    private RespValue ReadItems(RespKind kind, byte[] lengthText, int perEntry)
    {
        var length = ParseLength(lengthText);
        if (length < 0)
        {
            return new RespValue(RespKind.NullArray, Array.Empty<byte>());
        }

        var items = new RespValue[length * perEntry];
        for (var i = 0; i < items.Length; i++)
        {
            items[i] = ReadReply();
        }

        return new RespValue(kind, items);
    }

    private RespValue ReadAttribute(byte[] lengthText)
    {
        var pairs = ReadItems(RespKind.Attribute, lengthText, perEntry: 2);
        return new RespValue(RespKind.Attribute, [.. pairs.Items, ReadReply()]);
    }

    private int ParseLength(byte[] text) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var length)
            ? length
            : throw new InvalidDataException($"Not a length: {RespPrinter.Quote(text)}, from {EndPoint}.");

    private byte[] ReadLine()
    {
        var scanned = 0;
        while (true)
        {
            var index = _buffer.AsSpan(_start + scanned, _end - _start - scanned).IndexOf("\r\n"u8);
            if (index >= 0)
            {
                var line = _buffer.AsSpan(_start, scanned + index).ToArray();
                _start += scanned + index + 2;
                return line;
            }

            scanned = Math.Max(0, _end - _start - 1);
            Need(_end - _start + 1);
        }
    }

    private void Need(int count)
    {
        while (_end - _start < count)
        {
            if (!TryFill())
            {
                throw new EndOfStreamException(
                    $"{EndPoint} closed the connection after {Received()} of an unfinished reply.");
            }
        }
    }

    private bool TryFill()
    {
        MakeRoom();
        try
        {
            var received = _socket.Receive(_buffer, _end, _buffer.Length - _end, SocketFlags.None);
            _end += received;
            return received > 0;
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
        {
            throw new TimeoutException(
                $"No reply from {EndPoint} within {_socket.ReceiveTimeout} ms; received so far: {Received()}.", e);
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.ConnectionReset)
        {
            return false;
        }
    }

    private void MakeRoom()
    {
        if (_end < _buffer.Length)
        {
            return;
        }

        var used = _end - _start;
        var target = used > _buffer.Length / 2 ? new byte[_buffer.Length * 2] : _buffer;
        _buffer.AsSpan(_start, used).CopyTo(target);
        _buffer = target;
        _start = 0;
        _end = used;
    }

    private string Received() => RespPrinter.Quote(_buffer.AsSpan(_start, _end - _start));
}
