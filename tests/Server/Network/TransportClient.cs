using System.IO.Pipelines;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;

namespace Strata.Tests.Server.Network;

/// <summary>A client's end of any transport: bytes out, bytes in. Strings are Latin-1.</summary>
internal sealed class TransportClient : IDisposable
{
    private readonly Socket? _socket;
    private readonly IDuplexPipe? _pipe;
    private readonly Stream _input;
    private readonly Stream _output;

    public TransportClient(Socket socket)
    {
        _socket = socket;
        _input = _output = new NetworkStream(socket, ownsSocket: true);
    }

    public TransportClient(IDuplexPipe pipe)
    {
        _pipe = pipe;
        _input = pipe.Input.AsStream();
        _output = pipe.Output.AsStream();
    }

    /// <summary>A client that speaks TLS, whose handshake is over.</summary>
    public TransportClient(Socket socket, SslStream stream)
    {
        _socket = socket;
        _input = _output = stream;
    }

    public void Send(string text) => Send(Encoding.Latin1.GetBytes(text));

    /// <summary>Returns when the transport has taken all.</summary>
    public void Send(byte[] bytes)
    {
        _output.Write(bytes);
        _output.Flush();
    }

    /// <summary>Exactly so many bytes.</summary>
    public string Read(int bytes)
    {
        var buffer = new byte[bytes];
        _input.ReadExactly(buffer);
        return Encoding.Latin1.GetString(buffer);
    }

    /// <summary>Sends, and reads as many bytes as are expected.</summary>
    public string Call(string text, string expected)
    {
        Send(text);
        return Read(expected.Length);
    }

    /// <summary>One line, its end included.</summary>
    public string ReadLine()
    {
        var line = new StringBuilder();
        while (line.Length == 0 || line[^1] != '\n')
        {
            line.Append(Read(1));
        }

        return line.ToString();
    }

    /// <summary>What comes until the server closes; a reset is an end, too, and so is one without a word of
    /// TLS.</summary>
    public string ReadToEnd()
    {
        var all = new MemoryStream();
        try
        {
            _input.CopyTo(all);
        }
        catch (IOException exception) when (_output is SslStream || IsReset(exception.InnerException))
        {
            return Encoding.Latin1.GetString(all.ToArray());
        }

        return Encoding.Latin1.GetString(all.ToArray());
    }

    /// <summary>Sends no more, but reads on.</summary>
    public void EndOutput()
    {
        (_output as SslStream)?.ShutdownAsync().GetAwaiter().GetResult();
        _pipe?.Output.Complete();
        _socket?.Shutdown(SocketShutdown.Send);
    }

    private static bool IsReset(Exception? exception)
        => exception is SocketException { SocketErrorCode: SocketError.ConnectionReset };

    public void Dispose()
    {
        _output.Dispose();
        _input.Dispose();
    }
}
