using System.Diagnostics.CodeAnalysis;
using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Tracking;

/// <summary>Tells a worker's clients, and those of other workers in whose place they are, of keys that have changed. A
/// message is written once for each version of the protocol, whatever the number of clients. Worker's thread only.
/// </summary>
internal sealed class InvalidationSender(ClientWorker worker, ClientDirectory directory)
{
    private readonly ClientWorker _worker = worker;

    /// <summary>Who is told in a client's place, or the client itself.</summary>
    /// <returns>False when nobody can be told.</returns>
    public bool TryFindTold(
        Session client, TrackingState tracking, CommandContext? executing, [NotNullWhen(true)] out Session? told)
    {
        told = client;
        if (tracking.Redirection == 0)
        {
            return client.Protocol == 3;
        }

        told = directory.Find(tracking.Redirection);
        if (told == null)
        {
            tracking.IsRedirectionBroken = true;
            if (client.Protocol == 3)
            {
                PushBroken(client, tracking.Redirection, executing);
            }
        }

        return told != null;
    }

    /// <summary>Tells a client of another worker of a key.</summary>
    public static void TellOther(Session other, ReadOnlySpan<byte> key)
    {
        var header = new MessageHeader { Kind = MessageKind.KeyChangedForOther, Client = other.Id };
        if (!other.Worker.Messages.Mailbox.TryAdd(header, key, message: default))
        {
            other.Worker.PostWithin(() => other.Worker.Tracking.Sender.PushAll(other));
        }
    }

    /// <summary>Pushes the current message to a client of this worker that can take it.</summary>
    /// <param name="client">The client.</param>
    /// <param name="write">Writes it, where nobody has for another client.</param>
    /// <param name="executing">The command in whose midst this is done, or null.</param>
    public void Push(Session client, Action<PushBuffer> write, CommandContext? executing)
    {
        if (BufferFor(client) is { } buffer)
        {
            var isWritten = buffer.Length > 0 || TryWrite(buffer, write);
            Push(client, buffer, isWritten, executing);
        }
    }

    /// <summary>Pushes the current message, that a key has changed, or that any may have, to a client of this worker
    /// that can take it.</summary>
    public void Push(Session client, ReadOnlySpan<byte> key, bool isAll, CommandContext? executing)
    {
        if (BufferFor(client) is { } buffer)
        {
            var isWritten = buffer.Length > 0 || TryWrite(buffer, key, isAll);
            Push(client, buffer, isWritten, executing);
        }
    }

    /// <summary>Tells a client of the worker, or who is told in its place.</summary>
    public void Tell(
        Session client, TrackingState tracking, ReadOnlySpan<byte> key, bool isAll, CommandContext? executing)
    {
        if (!TryFindTold(client, tracking, executing, out var told))
        {
            return;
        }

        if (told.Worker == _worker)
        {
            Push(told, key, isAll, executing);
        }
        else if (isAll)
        {
            told.Worker.PostWithin(() => told.Worker.Tracking.Sender.PushAll(told));
        }
        else
        {
            TellOther(told, key);
        }
    }

    /// <summary>A client is told that any key may have changed; for others of other workers.</summary>
    public void PushAll(Session client)
    {
        Next();
        Push(client, key: default, isAll: true, _worker.Messages.Executing);
        _worker.Worker.PostOnce(_worker.Messages.Mailbox); // Where what was pushed is sent.
    }

    /// <summary>Another message is the current one from here on.</summary>
    public void Next()
    {
        _worker.Messages.Resp2.Next();
        _worker.Messages.Resp3.Next();
    }

    private void Push(Session client, PushBuffer buffer, bool isWritten, CommandContext? executing)
    {
        client.IsTold = true;
        if (isWritten)
        {
            _worker.Messages.Push(client, buffer, executing);
        }
        else
        {
            _worker.Messages.CutOff(client, executing, isTooLong: false);
        }
    }

    /// <summary>Where the current message to a client is; null where it cannot take any. In RESP2 it comes by a
    /// channel.</summary>
    private PushBuffer? BufferFor(Session client)
        => client.Connection.IsClosed || (client.Protocol == 2 && !client.IsSubscriber) ? null
            : client.Protocol == 2 ? _worker.Messages.Resp2
            : _worker.Messages.Resp3;

    private void PushBroken(Session client, long other, CommandContext? executing)
    {
        var buffer = _worker.Messages.Resp3;
        buffer.Next();
        Push(client, buffer, TryWrite(buffer, message => message.WriteRedirectionBroken(other)), executing);
        buffer.Next();
    }

    private static bool TryWrite(PushBuffer buffer, ReadOnlySpan<byte> key, bool isAll)
    {
        try
        {
            if (isAll)
            {
                buffer.WriteInvalidationOfAll();
            }
            else
            {
                buffer.WriteInvalidation(key);
            }

            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            buffer.Undo();
            return false;
        }
    }

    private static bool TryWrite(PushBuffer buffer, Action<PushBuffer> write)
    {
        try
        {
            write(buffer);
            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            buffer.Undo();
            return false;
        }
    }
}
