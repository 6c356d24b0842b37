using System.Diagnostics;
using Strata.Bench.Statistics;

namespace Strata.Bench.Load;

/// <summary>
/// Drives its connections from one thread: whenever all replies of a connection's batch are there, it sends that
/// connection the next. After the end it awaits what is outstanding and sends no more. Counts are its own and are read
/// by others only after the thread has ended, except <see cref="Operations"/>.
/// </summary>
internal sealed class LoadThread(LoadOptions options, RequestEncoder encoder) : IDisposable
{
    private const int ReceiveBytes = 256 * 1024;
    private const int WaitMs = 50;
    private const int PacedWaitMs = 1;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly List<LoadConnection> _connections = [];
    private readonly Epoll _epoll = new();
    // Connections whose next batch is not due yet, the one that has waited longest first.
    private readonly Queue<int> _early = new();
    private readonly byte[] _buffer = GC.AllocateUninitializedArray<byte>(ReceiveBytes, pinned: true);
    private long _operations;
    private long _outstanding;
    private long _begun;
    private long _startedAt;
    private volatile bool _stop;

    public LatencyHistogram Latencies { get; } = new();

    public ReplyTally Tally { get; } = new();

    /// <summary>Replies so far; any thread may ask.</summary>
    public long Operations => Volatile.Read(ref _operations);

    /// <summary>When the last reply came, as a <see cref="Stopwatch"/> timestamp.</summary>
    public long LastReplyAt { get; private set; } = Stopwatch.GetTimestamp();

    /// <summary>Why the thread gave up; null when it ended as it should.</summary>
    public BenchException? Failure { get; private set; }

    /// <exception cref="BenchException">The server cannot be reached or refuses.</exception>
    public void Connect()
    {
        for (var i = 0; i < options.Connections; i++)
        {
            var client = RespClient.Connect(options);
            _connections.Add(new LoadConnection(client, encoder, options.Pipeline));
            _epoll.Add(client.Socket.SafeHandle, i);
        }
    }

    /// <summary>Asks the thread to send no more.</summary>
    public void Stop() => _stop = true;

    /// <summary>The thread's body: runs until it is stopped or the keys have run out. Never throws on a lost connection
    /// or a silent server, but leaves the <see cref="Failure"/>.</summary>
    public void Run()
    {
        try
        {
            _startedAt = LastReplyAt = Stopwatch.GetTimestamp();
            for (var i = 0; i < _connections.Count; i++)
            {
                Continue(i);
            }

            while (_outstanding > 0 || (_early.Count > 0 && !_stop))
            {
                Turn();
            }
        }
        catch (BenchException e)
        {
            Failure = e;
        }
    }

    public void Dispose()
    {
        _connections.ForEach(c => c.Dispose());
        _epoll.Dispose();
    }

    private void Turn()
    {
        var events = _epoll.Wait(_early.Count > 0 ? PacedWaitMs : WaitMs);
        for (var e = 0; e < events; e++)
        {
            var index = _epoll.Index(e);
            var replies = 0;
            if (_epoll.IsReadable(e))
            {
                replies = _connections[index].Receive(_buffer, Tally, Latencies);
                Volatile.Write(ref _operations, _operations + replies);
                LastReplyAt = Stopwatch.GetTimestamp();
            }

            _outstanding -= replies;
            Continue(index);
        }

        while (_early.Count > 0 && IsDue())
        {
            Continue(_early.Dequeue());
        }

        if (events == 0 && _outstanding > 0 && Stopwatch.GetElapsedTime(LastReplyAt) > s_patience)
        {
            throw new BenchException(
                $"The server has not answered for {s_patience.TotalSeconds} s during the load. See the server's log.");
        }
    }

    // Whether the next batch may be sent, by the rate of this thread.
    private bool IsDue() => options.Rate == 0
        || _begun < options.Rate * Stopwatch.GetElapsedTime(_startedAt).TotalSeconds / options.Threads;

    // Sends what a connection may send now.
    private void Continue(int index)
    {
        var connection = _connections[index];
        var outstandingBefore = connection.Outstanding;
        if (connection.AwaitsRoom)
        {
            connection.Send();
        }
        else if (outstandingBefore == 0 && !_stop)
        {
            if (IsDue())
            {
                _begun += options.Pipeline;
                connection.BeginBatch(options.Pipeline);
            }
            else
            {
                _early.Enqueue(index);
            }
        }

        _outstanding += connection.Outstanding - outstandingBefore;
        if (connection.AwaitsRoom != connection.RoomIsWatched)
        {
            _epoll.WatchOutput(connection.Socket.SafeHandle, index, connection.AwaitsRoom);
            connection.RoomIsWatched = connection.AwaitsRoom;
        }
    }
}
