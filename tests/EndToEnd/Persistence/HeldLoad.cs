using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Holds up a server that loads a journal, where a command stands in it that waits for another server: for
/// this, which answers when the test says so.</summary>
internal sealed class HeldLoad : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private Socket? _client;

    public HeldLoad() => _listener.Start();

    /// <summary>The command, which changes nothing.</summary>
    /// <param name="key">A key that is there.</param>
    public RespCommand Command(string key)
    {
        var port = ((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        return RespCommand.Of("MIGRATE", "127.0.0.1", port, key, "0", "600000", "COPY");
    }

    /// <summary>Waits until the server is there.</summary>
    public void Await()
    {
        Patience.Await(_listener.Pending);
        _client = _listener.AcceptSocket();
        Patience.Await(() => _client.Available > 0);
    }

    /// <summary>Lets it go on.</summary>
    public void GoOn() => _client!.Send(Encoding.ASCII.GetBytes("+OK\r\n+OK\r\n"));

    /// <inheritdoc/>
    public void Dispose()
    {
        _client?.Dispose();
        _listener.Dispose();
    }
}
