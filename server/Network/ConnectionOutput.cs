using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Strata.Server.Network.Transport;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Resp;
using Strata.Server.Runtime;

namespace Strata.Server.Network;

/// <summary>
/// What one connection has to send, into its transport's pipe. Messages pushed to the client stay in the worker's
/// buffer, where all their receivers find them, until the end of the turn or the client's next reply: then they go with
/// one call of the kernel. A socket's writer is told pointer and length, which costs less than what a pipe's is given
/// by value.
/// </summary>
internal sealed unsafe class ConnectionOutput : IDiskWaiter
{
    private readonly WorkerContext _worker;
    private readonly Connection _connection;
    private readonly PipeWriter _writer;
    private readonly SocketPipeWriter? _socket;
    private OutputLimitWatch _limit;
    private StallWatch _stall;
    private ReplyWriter? _pushed;
    private int _pushedStart;
    private int _pushedLength;
    private ReplyWriter? _heldBack;

    public ConnectionOutput(WorkerContext worker, Connection connection, PipeWriter writer)
    {
        _worker = worker;
        _connection = connection;
        _writer = writer;
        _socket = writer as SocketPipeWriter;
    }

    /// <summary>Bytes that the pipe did not take yet.</summary>
    public long Length { get; private set; }

    /// <summary>Bytes that it took, in all.</summary>
    public long SentBytes { get; private set; }

    /// <summary>Whether the pipe took all there was.</summary>
    public bool IsEmpty => Length == 0;

    /// <summary>Whether nothing waits to be sent, nor is held back.</summary>
    public bool IsIdle => IsEmpty && _pushedLength == 0 && !AwaitsDisk && !IsHolding;

    /// <summary>Whether a reply whose value lies elsewhere is sent from there.</summary>
    public bool Gathers => _socket is { Gathers: true } && IsIdle;

    /// <summary>Whether no more commands are executed before the client has read; as was found when there was something
    /// to send last, so that whoever stops for it is told when it changes. While memory is short, nobody who has not
    /// read what he was answered is answered more: many who do not read would hold much of it.</summary>
    public bool IsAboveHighWater { get; private set; }

    /// <summary>Whether nothing is sent yet: it tells of what the disk may not have (<c>appendfsync
    /// always</c>).</summary>
    public bool AwaitsDisk { get; private set; }

    /// <summary>Whether messages are held back: a reply is being written that must not be torn apart.</summary>
    public bool IsHolding { get; private set; }

    /// <summary>Holds messages back until <see cref="EndHold"/>.</summary>
    public void Hold() => IsHolding = true;

    /// <summary>The reply that must not be torn apart stands in a buffer: what was held back comes behind it.</summary>
    public void EndHold(ReplyWriter reply)
    {
        IsHolding = false;
        if (_heldBack is { } held)
        {
            try
            {
                reply.Raw(held.Written(0, held.Length).Span);
            }
            finally
            {
                _ = DropHeldBack();
            }
        }
    }

    /// <summary>Ends the hold of a reply that has failed, and forgets what was held back.</summary>
    /// <returns>Whether that was anything.</returns>
    public bool DropHeldBack()
    {
        IsHolding = false;
        var wasAny = _heldBack != null;
        _heldBack?.Dispose();
        _heldBack = null;
        return wasAny;
    }

    /// <summary>Lets the replies wait that are about to be sent, if they tell of what the disk may not have.</summary>
    public void AwaitDisk()
    {
        var durability = _worker.Server.Durability;
        var client = _connection.Client;
        if (client.AwaitsAllSequences)
        {
            client.AwaitsAllSequences = false;
            client.AwaitedSequence = durability.Last;
        }

        if (client.AwaitsUnsharded)
        {
            client.AwaitsUnsharded = false;
            client.AwaitedSequence = Math.Max(client.AwaitedSequence, durability.LastUnsharded);
        }

        if (client.AwaitedSequence > durability.Released)
        {
            if (!AwaitsDisk)
            {
                AwaitsDisk = true;
                _worker.AwaitDisk(this);
            }

            durability.NoteAwaited(client.AwaitedSequence);
        }
    }

    /// <inheritdoc/>
    public bool TryEndAwait(Durability durability)
    {
        if (!_connection.IsClosed && _connection.Client.AwaitedSequence > durability.Released)
        {
            return false;
        }

        AwaitsDisk = false;
        if (!_connection.IsClosed)
        {
            _connection.OnEvents(Readiness.Out);
        }

        return true;
    }

    /// <summary>Sends what was pushed, then replies.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TrySend(ReplyWriter reply)
        => TrySendPushed() && (reply.Length == 0 || (AwaitsDisk ? Keep(reply) : TryWrite(reply)));

    /// <summary>Sends bytes of a buffer that has others behind them; nothing that was pushed may wait.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TrySend(ReplyWriter writer, int start, int length)
    {
        var isOpen = _socket != null
            ? _socket.TryWrite(writer.Start + start, length, asks: true)
            : IsOpenAfter(_writer.WriteAsync(writer.Written(start, length)));
        return EndWrite(isOpen, Length + length);
    }

    /// <summary>Sends what the pipe takes now of what it did not take before.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TryFlush()
        => AwaitsDisk || EndWrite(_socket != null ? _socket.TryFlush() : IsOpenAfter(_writer.FlushAsync()), Length);

    /// <summary>Looks again at what the pipe did not take: what came may have been for the transport itself, and what
    /// it has answered may have to wait.</summary>
    public void Notice() => Length = _writer.UnflushedBytes;

    /// <summary>Adds bytes to what is sent; they go with the next flush.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (IsHolding)
        {
            HoldBack(bytes);
            return;
        }

        KeepPushed();
        if (IsEmpty)
        {
            _stall.OnSent();
        }

        _writer.Write(bytes);
        Length = _writer.UnflushedBytes; // The pipe has refused nothing of it yet, and tells of nothing.
    }

    /// <summary>Adds a message that lies in a buffer of the worker, and stays there until it is sent or kept.</summary>
    /// <returns>Whether it is the first since the last was sent or kept.</returns>
    public bool Push(ReplyWriter writer, int start, int length)
    {
        if (IsHolding)
        {
            HoldBack(writer.Written(start, length).Span);
            return false;
        }

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

    /// <summary>Sends the messages in the worker's buffer.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TrySendPushed()
    {
        if (_pushedLength == 0)
        {
            return true;
        }

        if (AwaitsDisk)
        {
            KeepPushed();
            return true;
        }

        var length = _pushedLength;
        _pushedLength = 0;
        return TrySend(_pushed!, _pushedStart, length);
    }

    /// <summary>Adds the messages in the worker's buffer to what goes with the next flush.</summary>
    public void KeepPushed()
    {
        if (_pushedLength > 0)
        {
            var length = _pushedLength;
            _pushedLength = 0;
            Append(_pushed!.Written(_pushedStart, length).Span);
        }
    }

    /// <summary>Forgets the messages in the worker's buffer and those held back: the connection is closed.</summary>
    public void DropPushed()
    {
        _pushedLength = 0;
        _ = DropHeldBack();
    }

    /// <summary>Whether the client reads too slowly: the connection must be closed.</summary>
    /// <param name="isUnaskedReply">Whether it was just sent a reply for which the budget was not asked.</param>
    public bool IsOverLimit(bool isUnaskedReply = false)
    {
        var client = _connection.Client;
        var limit = OutputLimitWatch.LimitOf(client, _worker.Options);
        if (_limit.IsOver(limit, Length + (_heldBack?.Length ?? 0), _worker.Worker.NowMs))
        {
            _worker.Server.Log.OutputBufferLimitReached(client.Id, _connection.Address.ToString(), Length);
        }
        else if (Length > ServerLimits.FreelyHeldBytes
            && (isUnaskedReply || client.IsSubscriber || client.IsMonitor || client.IsTold)
            && _worker.Budget.WouldPassEnd(0))
        {
            _worker.Server.Log.NoMemoryForUnread(client.Id, _connection.Address.ToString(), Length);
        }
        else
        {
            return false;
        }

        _worker.OutputLimitsPassed++;
        return true;
    }

    /// <summary>Whether the client has stopped to read: for <see cref="ServerLimits.StallMs"/> it has taken nothing of
    /// what waits for it. To be called now and then.</summary>
    public bool LookForStall(long unarrivedBytes)
    {
        if (AwaitsDisk)
        {
            _stall.OnSent();
        }

        return _stall.Look(unarrivedBytes, _worker.Worker.NowMs) >= ServerLimits.StallMs;
    }

    private bool TryWrite(ReplyWriter replies)
    {
        var offered = Length + replies.Length;
        var isOpen = _socket != null
            ? _socket.TryWrite(replies)
            : IsOpenAfter(_writer.WriteAsync(replies.Written(0, replies.Length)));
        return EndWrite(isOpen, offered);
    }

    /// <summary>Adds replies to what goes when the disk has what they tell of.</summary>
    private bool Keep(ReplyWriter reply)
    {
        _writer.Write(reply.Written(0, reply.Length).Span);
        return EndWrite(isOpen: true, Length + reply.Length);
    }

    private void HoldBack(ReadOnlySpan<byte> bytes)
    {
        _heldBack ??= new ReplyWriter(budget: _worker.Budget, isSeldomUsed: true);
        _heldBack.Raw(bytes);
    }

    /// <summary>The result of a write, which has always completed.</summary>
    private static bool IsOpenAfter(ValueTask<FlushResult> write) => !write.GetAwaiter().GetResult().IsCompleted;

    /// <summary>Notes how much the pipe took of what there was.</summary>
    /// <returns>False when the connection has ended.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool EndWrite(bool isOpen, long offeredBytes)
    {
        Length = _socket != null ? _socket.UnflushedBytes : _writer.UnflushedBytes;
        IsAboveHighWater = Length > 0
            && (Length >= ServerLimits.OutputHighWaterBytes || !_worker.Budget.HasRoom);
        if (Length < offeredBytes)
        {
            SentBytes += offeredBytes - Length;
            _connection.LastInteractionMs = _worker.Worker.NowMs;
            _stall.OnSent();
        }

        return isOpen;
    }
}
