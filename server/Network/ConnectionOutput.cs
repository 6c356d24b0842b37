using Strata.Server.Resp;
using Strata.Storage;

namespace Strata.Server.Network;

/// <summary>
/// What one connection has to send: at once as far as the socket takes it, the rest waits in a backlog, which holds no
/// memory while it is empty. Messages pushed to the client stay in the worker's buffer, where all their receivers find
/// them, until the end of the turn or the client's next reply: then they go with one call of the kernel.
/// </summary>
internal sealed unsafe class ConnectionOutput : IDisposable
{
    private readonly ServerWorker _worker;
    private readonly Connection _connection;
    private readonly ClientSocket _socket;
    private readonly NativeBuffer _backlog;
    private OutputLimitWatch _limit;
    private ReplyWriter? _pushed;
    private int _pushedStart;
    private int _pushedLength;

    public ConnectionOutput(ServerWorker worker, Connection connection, ClientSocket socket)
    {
        _worker = worker;
        _connection = connection;
        _socket = socket;
        _backlog = new NativeBuffer(worker.Server.Shards.Budget);
    }

    /// <summary>Bytes that the socket did not take yet.</summary>
    public long Length => _backlog.Length;

    /// <summary>Memory of the backlog, bytes.</summary>
    public long Capacity => _backlog.Capacity;

    /// <summary>Whether the socket took all there was.</summary>
    public bool IsEmpty => _backlog.IsEmpty;

    /// <summary>Whether no more commands are executed before the client has read.</summary>
    public bool IsAboveHighWater => _backlog.Length >= Limits.OutputHighWaterBytes;

    /// <summary>Sends what was pushed, then replies.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TrySend(ReplyWriter reply)
        => TrySendPushed() && (reply.Length == 0 || TrySend(reply.Start, reply.Length));

    /// <summary>Sends from the backlog what the socket takes now.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TrySendBacklog()
    {
        var sent = Send(_backlog.Start, _backlog.Length);
        if (sent < 0)
        {
            return false;
        }

        _backlog.Consume(sent);
        return true;
    }

    /// <summary>Adds bytes to the backlog.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        KeepPushed();
        fixed (byte* start = bytes)
        {
            _backlog.Append(start, bytes.Length);
        }
    }

    /// <summary>Adds a message that lies in a buffer of the worker, and stays there until it is sent or kept.</summary>
    /// <returns>Whether it is the first since the last was sent or kept.</returns>
    public bool Push(ReplyWriter writer, int start, int length)
    {
        if (_pushedLength > 0 && writer == _pushed && start == _pushedStart + _pushedLength)
        {
            _pushedLength += length;
            return false;
        }

        KeepPushed();
        _pushed = writer;
        _pushedStart = start;
        _pushedLength = length;
        return true;
    }

    /// <summary>Sends the messages in the worker's buffer; what the socket does not take goes into the backlog.
    /// </summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TrySendPushed()
    {
        if (_pushedLength == 0)
        {
            return true;
        }

        var length = _pushedLength;
        _pushedLength = 0;
        if (_backlog.IsEmpty)
        {
            return TrySend(_pushed!.Start + _pushedStart, length);
        }

        _backlog.Append(_pushed!.Start + _pushedStart, length);
        return _connection.WatchesOutput || TrySendBacklog(); // What was kept in this turn was not tried yet.
    }

    /// <summary>Moves the messages in the worker's buffer into the backlog.</summary>
    public void KeepPushed()
    {
        if (_pushedLength > 0)
        {
            var length = _pushedLength;
            _pushedLength = 0;
            _backlog.Append(_pushed!.Start + _pushedStart, length);
        }
    }

    /// <summary>Whether the client reads too slowly: the connection must be closed.</summary>
    public bool IsOverLimit()
    {
        var session = _connection.Session;
        var limit = OutputLimitWatch.LimitOf(session, _worker.Options);
        if (!_limit.IsOver(limit, _backlog.Length, _worker.Worker.NowMs))
        {
            return false;
        }

        _worker.Server.Log.OutputBufferLimitReached(session.Id, _connection.Address.ToString(), _backlog.Length);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _pushedLength = 0;
        _backlog.Dispose();
    }

    /// <summary>Sends what the socket takes, in the order of the backlog, and keeps the rest.</summary>
    private bool TrySend(byte* bytes, long length)
    {
        var sent = _backlog.IsEmpty ? Send(bytes, length) : 0;
        if (sent < 0)
        {
            return false;
        }

        if (sent < length)
        {
            _backlog.Append(bytes + sent, length - sent);
        }

        return true;
    }

    /// <summary>Sends what the socket takes; -1 when the connection has ended.</summary>
    private long Send(byte* bytes, long length)
    {
        var sent = _socket.Send(bytes, length);
        if (sent > 0)
        {
            _worker.SentBytes += sent;
            _connection.LastInteractionMs = _worker.Worker.NowMs;
        }

        return sent;
    }
}
