using System.Net.Sockets;

namespace Strata.Bench.Load;

/// <summary>Connections that subscribe to one channel and read, on a thread of their own, what is published there.
/// Only bytes are counted: the server is measured, not how fast messages could be told apart.</summary>
internal sealed class Subscribers : IDisposable
{
    /// <summary>The channel they listen to.</summary>
    public const string Channel = "news";

    private const int ReceiveBytes = 256 * 1024;
    private const int WaitMs = 50;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly List<RespClient> _clients = [];
    private readonly long[] _receivedBytes;
    private readonly Epoll _epoll = new();
    private readonly Thread _thread;
    private volatile bool _awaitsEnd;
    private volatile bool _stops;
    private BenchException? _failure;

    /// <exception cref="BenchException">The server cannot be reached or refuses.</exception>
    public Subscribers(LoadOptions options)
    {
        _receivedBytes = new long[options.Subscribers];
        _thread = new Thread(Run) { IsBackground = true };
        try
        {
            for (var i = 0; i < options.Subscribers; i++)
            {
                var client = RespClient.Connect(options);
                _clients.Add(client);
                client.Call("SUBSCRIBE", Channel);
                client.Socket.Blocking = false;
                _epoll.Add(client.Socket.SafeHandle, i);
            }
        }
        catch (BenchException)
        {
            Close();
            throw;
        }

        _thread.Start();
    }

    /// <summary>Waits until nothing comes any more, after the last message was published.</summary>
    /// <exception cref="BenchException">A subscriber was cut off, or got less than another.</exception>
    public void AwaitAll()
    {
        _awaitsEnd = true;
        _thread.Join();
        if (_failure is not null)
        {
            throw _failure;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stops = true;
        _thread.Join();
        Close();
    }

    private void Close()
    {
        _clients.ForEach(client => client.Dispose());
        _epoll.Dispose();
    }

    private void Run()
    {
        try
        {
            Read();
        }
        catch (BenchException e)
        {
            _failure = e;
        }
    }

    private void Read()
    {
        var buffer = GC.AllocateUninitializedArray<byte>(ReceiveBytes, pinned: true);
        var quietMs = 0;
        while (!_stops)
        {
            // Asked before waiting, so that a wait without a message is one after the last was published.
            var awaitsEnd = _awaitsEnd;
            var events = _epoll.Wait(WaitMs);
            for (var e = 0; e < events; e++)
            {
                Receive(_epoll.Index(e), buffer);
            }

            quietMs = events > 0 || !awaitsEnd ? 0 : quietMs + WaitMs;
            if (quietMs > 0 && _receivedBytes.Max() == _receivedBytes.Min())
            {
                return;
            }

            if (quietMs > s_patience.TotalMilliseconds)
            {
                throw new BenchException($"Of what was published to all, one subscriber got {_receivedBytes.Max()} "
                    + $"bytes, another {_receivedBytes.Min()}. See the server's log.");
            }
        }
    }

    private void Receive(int index, byte[] buffer)
    {
        var received = _clients[index].Socket.Receive(buffer, SocketFlags.None, out var error);
        if (error == SocketError.WouldBlock)
        {
            return;
        }

        if (received == 0)
        {
            var why = error == SocketError.Success ? "the server closed it" : new SocketException((int)error).Message;
            throw new BenchException($"Lost the connection of a subscriber: {why}. See the server's log.");
        }

        _receivedBytes[index] += received;
    }
}
