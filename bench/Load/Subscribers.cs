using System.Net.Sockets;

namespace Strata.Bench.Load;

/// <summary>Connections that subscribe to one channel and read, on a thread of their own, what is published there.
/// </summary>
internal sealed class Subscribers : IDisposable
{
    /// <summary>The channel they listen to.</summary>
    public const string Channel = "news";

    private const int ReceiveBytes = 256 * 1024;
    private const int WaitMs = 50;

    private readonly List<RespClient> _clients = [];
    private readonly Epoll _epoll = new();
    private readonly Thread _thread;
    private volatile bool _stops;

    /// <exception cref="BenchException">The server cannot be reached or refuses.</exception>
    public Subscribers(LoadOptions options)
    {
        for (var i = 0; i < options.Subscribers; i++)
        {
            var client = RespClient.Connect(options.Host, options.Port, options.Password);
            _clients.Add(client);
            _ = client.Call("SUBSCRIBE", Channel);
            client.Socket.Blocking = false;
            _epoll.Add(client.Socket.SafeHandle, i);
        }

        _thread = new Thread(Read) { IsBackground = true };
        _thread.Start();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stops = true;
        _thread.Join();
        _clients.ForEach(client => client.Dispose());
        _epoll.Dispose();
    }

    private void Read()
    {
        var buffer = GC.AllocateUninitializedArray<byte>(ReceiveBytes, pinned: true);
        while (!_stops)
        {
            var events = _epoll.Wait(WaitMs);
            for (var e = 0; e < events; e++)
            {
                var socket = _clients[_epoll.Index(e)].Socket;
                var received = socket.Receive(buffer, SocketFlags.None, out var error);
                if (error != SocketError.WouldBlock && received == 0)
                {
                    return; // The load's own connections report what ended.
                }
            }
        }
    }
}
