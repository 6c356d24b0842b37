using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Strata.Bench.Load;

/// <summary>
/// A blocking connection for the few commands around a measurement (AUTH, PING, CONFIG GET, FLUSHALL); the load itself
/// takes its <see cref="Socket"/> over once nothing is outstanding. Times out after 10 s without an answer.
/// </summary>
internal sealed class RespClient : IDisposable
{
    private const int TimeoutMs = 10_000;

    private readonly string _address;
    private readonly BufferedStream _stream;

    private RespClient(Socket socket, string address)
    {
        Socket = socket;
        _address = address;
        _stream = new BufferedStream(new NetworkStream(socket));
    }

    public Socket Socket { get; }

    /// <summary>Connects as the options say.</summary>
    /// <inheritdoc cref="Connect(string, int, string?, string?)"/>
    public static RespClient Connect(TargetOptions target)
        => Connect(target.Host, target.Port, target.Password, target.User);

    /// <summary>Connects, gives the password if there is one, and sees that the server answers.</summary>
    /// <exception cref="BenchException">It cannot be reached, wants a password, or refuses.</exception>
    public static RespClient Connect(string host, int port, string? password, string? user = null)
    {
        var address = string.Create(CultureInfo.InvariantCulture, $"{host}:{port}");
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveTimeout = TimeoutMs,
            SendTimeout = TimeoutMs,
        };
        try
        {
            socket.Connect(host, port);
            var client = new RespClient(socket, address);
            client.Introduce(user, password);
            return client;
        }
        catch (SocketException e)
        {
            socket.Dispose();
            var reason = new SocketException((int)e.SocketErrorCode).Message;
            throw new BenchException(
                $"Cannot reach the server at {address}: {reason}. Start it, or correct its host and port.", e);
        }
        catch (Exception e) when (e is BenchException or IOException)
        {
            socket.Dispose();
            throw e as BenchException ?? Unanswered(address, "PING", e);
        }
    }

    /// <summary>Sends one command and returns its reply's strings: one, or those of a flat array.</summary>
    /// <exception cref="BenchException">The server answered an error, or not at all.</exception>
    public IReadOnlyList<string> Call(params string[] command)
    {
        try
        {
            var reply = Ask(command);
            return reply is ['-', ..]
                ? throw new BenchException($"The server at {_address} refused {command[0]}: {reply[1..]}")
                : reply is ['*', ..] ? Elements(reply) : [Element(reply)];
        }
        catch (IOException e)
        {
            throw Unanswered(_address, command[0], e);
        }
    }

    /// <summary>Sends one command and returns its reply, however its arrays are nested.</summary>
    /// <exception cref="BenchException">The server answered an error, or not at all.</exception>
    public RespNode CallNested(params string[] command)
    {
        try
        {
            var reply = Ask(command);
            return reply is ['-', ..]
                ? throw new BenchException($"The server at {_address} refused {command[0]}: {reply[1..]}")
                : Nested(reply);
        }
        catch (IOException e)
        {
            throw Unanswered(_address, command[0], e);
        }
    }

    public void Dispose()
    {
        _stream.Dispose();
        Socket.Dispose();
    }

    private void Introduce(string? user, string? password)
    {
        if (user is not null)
        {
            Call("AUTH", user, password ?? ""); // Some need none.
        }
        else if (password is not null)
        {
            Call("AUTH", password);
        }

        var reply = Ask("PING");
        if (reply.StartsWith("-NOAUTH", StringComparison.Ordinal))
        {
            throw new BenchException($"The server at {_address} wants a password: give it with --password.");
        }

        if (reply is not ['+', ..] && !reply.StartsWith("-NOPERM", StringComparison.Ordinal))
        {
            throw new BenchException($"The server at {_address} answered PING with '{reply}'.");
        }
    }

    private static BenchException Unanswered(string address, string verb, Exception cause) =>
        new($"The server at {address} did not answer {verb}: {cause.Message}", cause);

    private string Ask(params string[] command)
    {
        var request = new StringBuilder();
        request.Append(CultureInfo.InvariantCulture, $"*{command.Length}\r\n");
        foreach (var part in command)
        {
            request.Append(CultureInfo.InvariantCulture, $"${Encoding.UTF8.GetByteCount(part)}\r\n{part}\r\n");
        }

        _stream.Write(Encoding.UTF8.GetBytes(request.ToString()));
        _stream.Flush();
        return ReadLine();
    }

    private List<string> Elements(string head)
    {
        var elements = new List<string>();
        for (var left = Number(head); left > 0; left--)
        {
            elements.Add(Element(ReadLine()));
        }

        return elements;
    }

    private RespNode Nested(string head)
    {
        if (head is not ['*', ..])
        {
            return new RespNode(Element(head), []);
        }

        List<RespNode> items = [];
        for (var left = Number(head); left > 0; left--)
        {
            items.Add(Nested(ReadLine()));
        }

        return new RespNode("", items);
    }

    private string Element(string line)
    {
        if (line is not ['$', ..] || Number(line) < 0)
        {
            return line[1..];
        }

        var payload = new byte[Number(line) + "\r\n".Length];
        _stream.ReadExactly(payload);
        return Encoding.UTF8.GetString(payload.AsSpan(0, payload.Length - 2));
    }

    private int Number(string line) =>
        int.TryParse(line.AsSpan(1), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw new BenchException($"The server at {_address} answered '{line}', which is no RESP2 reply.");

    private string ReadLine()
    {
        var line = new StringBuilder();
        for (var next = _stream.ReadByte(); next != '\n'; next = _stream.ReadByte())
        {
            if (next < 0)
            {
                throw new BenchException($"The server at {_address} closed the connection.");
            }

            line.Append((char)next);
        }

        return line.ToString().TrimEnd('\r');
    }
}
