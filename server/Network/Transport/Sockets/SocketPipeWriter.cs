using System.IO.Pipelines;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Interop;
using Strata.Storage.Memory;

namespace Strata.Server.Network.Transport.Sockets;

/// <summary>
/// What goes to a client's socket: <see cref="TryWrite(ReplyWriter)"/>, or WriteAsync, sends the worker's replies from
/// where they lie. What the socket does not take waits in a buffer of the connection, which holds no memory while it is
/// empty; memory that is asked for is the end of it. What encrypts derives from this, and sends in its own way.
/// </summary>
internal unsafe class SocketPipeWriter : PipeWriter, IDisposable
{
    private readonly WorkerContext _worker;
    private readonly ClientSocket _socket;
    private readonly NativeBuffer _backlog;
    private NativeMemoryView? _tail;
    private bool _isFull;

    public SocketPipeWriter(WorkerContext worker, ClientSocket socket)
    {
        _worker = worker;
        _socket = socket;
        _backlog = new NativeBuffer(worker.Server.Shards.Budget);
    }

    /// <inheritdoc/>
    public override bool CanGetUnflushedBytes => true;

    /// <inheritdoc/>
    public override long UnflushedBytes => _backlog.Length;

    /// <summary>Whether what lies in several places can be sent from there, if nothing waits.</summary>
    public virtual bool Gathers => true;

    /// <summary>Memory of the backlog, bytes.</summary>
    public virtual long CapacityBytes => _backlog.MemoryBytes;

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0)
    {
        var start = _backlog.ReserveTail(Math.Max(sizeHint, 1));
        return new Span<byte>(start, (int)Math.Min(_backlog.TailRoom, int.MaxValue));
    }

    /// <inheritdoc/>
    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        var length = GetSpan(sizeHint).Length;
        _tail ??= new NativeMemoryView();
        _tail.Set(_backlog.Start + _backlog.Length, length);
        return _tail.Slice(0, length);
    }

    /// <inheritdoc/>
    public override void Advance(int bytes) => _backlog.Commit(bytes);

    /// <summary>Sends what the socket takes.</summary>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
        => ResultOf(TryFlush());

    /// <inheritdoc cref="FlushAsync"/>
    /// <returns>False when the connection has ended.</returns>
    public bool TryFlush()
    {
        var sent = Send(_backlog.Start, _backlog.Length);
        if (sent < 0)
        {
            return false;
        }

        _isFull = sent < _backlog.Length;
        _backlog.Consume(sent);
        return true;
    }

    /// <summary>Sends what the socket takes, after what waits already.</summary>
    public override ValueTask<FlushResult> WriteAsync(
        ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
    {
        fixed (byte* start = source.Span)
        {
            return ResultOf(TryWrite(start, source.Length));
        }
    }

    /// <inheritdoc cref="WriteAsync"/>
    /// <param name="bytes">The first byte.</param>
    /// <param name="length">How many.</param>
    /// <param name="asks">Whether much that must wait is refused at the end of memory: nobody has asked for it.</param>
    /// <returns>False when the connection has ended.</returns>
    /// <exception cref="InsufficientMemoryException">It is refused.</exception>
    public bool TryWrite(byte* bytes, long length, bool asks = false)
    {
        if (!_backlog.IsEmpty)
        {
            Ask(asks, length);
            _backlog.Append(bytes, length);
            return _isFull || TryFlush();
        }

        var sent = Send(bytes, length);
        if (sent >= 0 && sent < length)
        {
            _isFull = true;
            Ask(asks, length - sent);
            _backlog.Append(bytes + sent, length - sent);
        }

        return sent >= 0;
    }

    /// <summary>Sends what the socket takes of a worker's replies. If much is left, the memory it lies in is kept, and
    /// the worker goes on with other: it is never there twice.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TryWrite(ReplyWriter replies)
    {
        if (replies.HasLoan && Gathers && _backlog.IsEmpty)
        {
            return TryGather(replies);
        }

        if (!_backlog.IsEmpty || replies.Length <= ServerLimits.MaxGatheredBytes)
        {
            return TryWrite(replies.Start, replies.Length);
        }

        var length = replies.Length;
        var sent = Send(replies.Start, length);
        if (sent >= 0 && sent < length)
        {
            _isFull = true;
            _backlog.Adopt(replies, sent);
        }

        return sent >= 0;
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush()
    {
        // No flush is ever pending.
    }

    /// <summary>Gives the backlog's memory back.</summary>
    public sealed override void Complete(Exception? exception = null) => Dispose();

    /// <inheritdoc cref="Complete"/>
    public void Dispose()
    {
        (_tail as IDisposable)?.Dispose();
        _backlog.Dispose();
    }

    /// <summary>Sends what the socket takes of replies whose end lies in its record; the rest is copied.</summary>
    private bool TryGather(ReplyWriter replies)
    {
        var parts = stackalloc IoVector[ReplyWriter.MostParts];
        var count = replies.GetParts(parts);
        var sent = _socket.Send(parts, count);
        _worker.CountWrite(sent);
        if (sent < 0 || sent == replies.Length)
        {
            return sent >= 0;
        }

        _isFull = true;
        for (var i = 0; i < count; i++)
        {
            var skipped = Math.Min(sent, (long)parts[i].Length);
            sent -= skipped;
            _backlog.Append(parts[i].Start + skipped, (long)parts[i].Length - skipped);
        }

        return true;
    }

    private void Ask(bool asks, long bytes)
    {
        if (asks && bytes > ServerLimits.FreeReplyBytes && _worker.Budget.WouldPassEnd(bytes))
        {
            throw new InsufficientMemoryException("there is no memory for what the client has not read");
        }
    }

    private static ValueTask<FlushResult> ResultOf(bool isOpen)
        => new(new FlushResult(isCanceled: false, isCompleted: !isOpen));

    /// <summary>Sends what the socket takes.</summary>
    /// <returns>Bytes dealt with; -1 when the connection has ended.</returns>
    protected virtual long SendNow(byte* bytes, long length) => _socket.Send(bytes, length);

    private long Send(byte* bytes, long length)
    {
        var sent = SendNow(bytes, length);
        _worker.CountWrite(sent);
        return sent;
    }
}
