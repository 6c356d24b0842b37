using Strata.Server.Resp;

namespace Strata.Server.Runtime;

/// <summary>
/// Short replies to what one wait has brought, its events and then the inbox, which are sent when all of it was dealt
/// with, as Redis does: to receive and to send by turns wakes a client once for each reply, to send them one after the
/// other lets one that was woken find the others there. Whatever else is sent to a connection, or may take long, sends
/// them first. Worker's thread only.
/// </summary>
internal sealed class ReplyBatch : IDisposable
{
    private readonly WorkerContext _worker;
    private readonly ReplyWriter _replies;
    private readonly Entry[] _entries = new Entry[ServerLimits.BatchedReplies];
    private int _count;
    private bool _isSending;

    public ReplyBatch(WorkerContext worker)
    {
        _worker = worker;
        _replies = new ReplyWriter(budget: worker.Budget);
    }

    /// <summary>Whether replies are taken: where there will be one alone nothing is gained.</summary>
    public bool IsOpen { get; set; }

    /// <summary>Takes a reply, if it is to wait for others.</summary>
    /// <param name="connection">Whose it is; nothing else waits to be sent to it.</param>
    /// <param name="reply">What the worker's buffer has of it.</param>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    public bool TryAdd(ILateReceiver connection, ReplyWriter reply)
    {
        if (!IsOpen || _isSending || reply.Length is 0 or > ServerLimits.BatchedReplyBytes
            || _worker.Server.Durability.IsAwaited)
        {
            return false;
        }

        if (_count == _entries.Length || _replies.Length + reply.Length > ServerLimits.BatchedBytes)
        {
            Send();
        }

        var start = _replies.Length;
        _replies.Raw(reply.Written(0, reply.Length).Span);
        _entries[_count++] = new Entry(connection, start);
        connection.IsBatched = true;
        reply.Clear();
        return true;
    }

    /// <summary>Sends what there is.</summary>
    public void Send()
    {
        if (_count == 0 || _isSending)
        {
            return;
        }

        _isSending = true; // A connection may be closed by it, which others are told.
        for (var i = 0; i < _count; i++)
        {
            ref var entry = ref _entries[i];
            var end = i + 1 < _count ? _entries[i + 1].Start : _replies.Length;
            entry.Connection.IsBatched = false;
            entry.Connection.SendLate(_replies, entry.Start, end - entry.Start);
            entry = default;
        }

        _count = 0;
        _replies.Clear();
        _isSending = false;
    }

    /// <inheritdoc/>
    public void Dispose() => _replies.Dispose();

    private readonly record struct Entry(ILateReceiver Connection, int Start);
}
