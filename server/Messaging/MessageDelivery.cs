using Strata.Server.Commands.Model;
using Strata.Server.Network;
using Strata.Server.Runtime;
using Strata.Server.Text;
using Strata.Storage.Memory;

namespace Strata.Server.Messaging;

/// <summary>
/// Brings the messages in a worker's mailbox to the worker's subscribers. A message is written once for each version of
/// the protocol; what a subscriber gets in one turn is sent at its end with one call of the kernel. Worker's thread
/// only.
/// </summary>
internal sealed unsafe class MessageDelivery : IDisposable
{
    private readonly MessageHub _hub;
    private readonly List<Connection> _pushedTo = [];

    // To how many of them was sent what they were pushed: each takes a call of the kernel.
    private int _sentTo;
    private PushBuffer? _resp2;
    private PushBuffer? _resp3;

    // Of what was taken from the mailbox the message that is next, or under way.
    private byte* _place;
    private PatternWalk _walk;
    private bool _isWalking;
    private bool _isPaused;
    private long _delivered;
    private long _awaited = long.MaxValue;

    public MessageDelivery(WorkerContext worker, MessageHub hub)
    {
        Worker = worker;
        _hub = hub;
        Mailbox = new Mailbox(this, hub, worker.Server.Shards.Budget);
        hub.Add(Mailbox);
    }

    public WorkerContext Worker { get; }

    /// <summary>Where any thread leaves messages for the worker's subscribers.</summary>
    public Mailbox Mailbox { get; }

    /// <summary>Bytes of the messages' buffers that are charged to the budget, while nothing is published.</summary>
    public long ChargedBytes
        => (_resp2?.Writer.ChargedBytes ?? 0) + (_resp3?.Writer.ChargedBytes ?? 0) + Mailbox.ChargedBytes;

    private long EffortAtOnce => GlobMatch.EffortOf(Worker.Server.EffortAtOnce);

    /// <summary>Who tells clients of keys that have changed; null while nobody does.</summary>
    public IInvalidations? Invalidations { get; set; }

    /// <summary>The messages of this turn for those who speak RESP2.</summary>
    public PushBuffer Resp2 => _resp2 ??= new PushBuffer(Worker.Budget, 2);

    /// <summary>The messages of this turn for those who speak RESP3.</summary>
    public PushBuffer Resp3 => _resp3 ??= new PushBuffer(Worker.Budget, 3);

    /// <summary>The command in whose midst a turn is taken, and whose client must not be closed now, nor sent anything;
    /// else null.</summary>
    public CommandContext? Executing { get; set; }

    /// <summary>Delivers what there is, and sends it to so many that others need not wait long: to the rest in the next
    /// turns, before more is delivered. Not while a command is executed, but for <see cref="Executing"/>.</summary>
    public void Deliver()
    {
        var areAnyLeft = _pushedTo.Count > 0;
        var until = _awaited;
        if (!areAnyLeft)
        {
            _awaited = long.MaxValue;
            _ = TryDeliver(Executing, EffortAtOnce, until);
        }

        Send(Executing, ServerLimits.SendsAtOnce);
        if (areAnyLeft || _pushedTo.Count > 0 || Mailbox.Taken != null || until != long.MaxValue)
        {
            Worker.Worker.PostOnce(Mailbox);
        }
    }

    /// <summary>Delivers, in one go, what was published before a command that changes subscriptions, so that it reaches
    /// those who subscribed then; it is sent at the end of the turn.</summary>
    public void Settle(CommandContext context) => TryDeliver(context, long.MaxValue, long.MaxValue);

    /// <summary>Delivers some of it.</summary>
    /// <param name="context">The command.</param>
    /// <param name="until">How much was ever in the mailbox when the command came (<see cref="Mailbox.Added"/>).
    /// </param>
    /// <returns>Whether all of that is delivered. Else others should have their turn before the command does.</returns>
    public bool TrySettle(CommandContext context, long until)
    {
        var isDone = TryDeliver(context, EffortAtOnce, until);
        if (!isDone)
        {
            _awaited = Math.Min(_awaited, until);
        }

        if (Mailbox.Taken != null)
        {
            Worker.Worker.PostOnce(Mailbox);
        }

        return isDone;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        DropTaken();
        Mailbox.Dispose();
        _resp2?.Dispose();
        _resp3?.Dispose();
    }

    /// <summary>Delivers what there is.</summary>
    /// <param name="executing">The command in whose midst this is done, or null.</param>
    /// <param name="effort">How much may be done to find out whose patterns match (<see cref="PatternWalk"/>).</param>
    /// <param name="until">With which message it ends, of all that were ever there.</param>
    /// <returns>Whether all of it is delivered.</returns>
    private bool TryDeliver(CommandContext? executing, long effort, long until)
    {
        var isDone = TryDeliverTaken(executing, ref effort, until);
        if (isDone && Mailbox.Taken == null && _delivered < until && Mailbox.Take() is { } taken)
        {
            _place = taken.Start;
            isDone = TryDeliverTaken(executing, ref effort, until);
        }

        Invalidations?.EndDelivery(executing);
        return isDone;
    }

    private bool TryDeliverTaken(CommandContext? executing, ref long effort, long until)
    {
        if (Mailbox.Taken is not { } taken)
        {
            return true;
        }

        try
        {
            var end = taken.Start + taken.Length;
            while (_place < end && _delivered < until)
            {
                var header = *(MessageHeader*)_place;
                if (!TryDeliver(header, executing, ref effort))
                {
                    Pause(true);
                    return false;
                }

                _place += header.SizeBytes;
                _delivered++;
                Mailbox.Free(header);
                SendMuch(executing);
            }

            if (_place == end)
            {
                DropTaken();
            }

            return true;
        }
        catch
        {
            DropTaken(); // The reply of a command has found no memory for one of them: the others are lost with it.
            throw;
        }
    }

    /// <summary>Gives back what was taken, and forgets what was not delivered of it.</summary>
    private void DropTaken()
    {
        if (Mailbox.Taken is not { } taken)
        {
            return;
        }

        for (var end = taken.Start + taken.Length; _place < end; _delivered++)
        {
            var header = *(MessageHeader*)_place;
            _place += header.SizeBytes;
            Mailbox.Free(header);
        }

        _isWalking = false;
        _walk = default;
        Pause(false);
        Mailbox.Return();
    }

    private void Pause(bool isPaused)
    {
        if (isPaused != _isPaused)
        {
            _isPaused = isPaused;
            _hub.CountPaused(isPaused ? 1 : -1);
        }
    }

    /// <summary>Delivers the message at the place, or goes on with it.</summary>
    /// <returns>False when others should have their turn before the rest of it.</returns>
    private bool TryDeliver(in MessageHeader header, CommandContext? executing, ref long effort)
    {
        var bytes = header.Shared.IsNone ? _place + sizeof(MessageHeader) : header.Shared.Start;
        var channel = new ReadOnlySpan<byte>(bytes, header.ChannelLength);
        var message = new ReadOnlySpan<byte>(bytes + header.ChannelLength, header.MessageLength);
        if (header.Kind >= MessageKind.KeyChanged)
        {
            Invalidations?.Deliver(header, channel, executing);
            return true;
        }

        if (header.Kind == MessageKind.PublishedToShard)
        {
            var shardChannel = _hub.ShardChannels.Find(channel, header.Hash);
            Push(shardChannel, ChannelKind.Shard, channel, message, executing);
            return true;
        }

        if (!_isWalking)
        {
            Push(_hub.Channels.Find(channel, header.Hash), ChannelKind.Channel, channel, message, executing);
            if (_hub.Patterns.Count == 0)
            {
                return true;
            }

            _walk = new PatternWalk(_hub.Patterns);
            _isWalking = true;
        }

        while (_walk.TryFind(channel, Worker.Number, ref effort, out var pattern))
        {
            if (pattern == null)
            {
                _isWalking = false;
                return true;
            }

            Push(pattern, ChannelKind.Pattern, channel, message, executing);
            effort -= PatternWalk.EffortOfCopy(pattern.Name.Length + header.Length);
        }

        return false;
    }

    /// <summary>Pushes a message to a channel's, or a pattern's, subscribers. One of them may be closed meanwhile: the
    /// set may lose members while it is gone through.</summary>
    private void Push(
        Channel? to,
        ChannelKind kind,
        ReadOnlySpan<byte> channel,
        ReadOnlySpan<byte> message,
        CommandContext? executing)
    {
        var subscribers = to?.SubscribersOf(Worker.Number);
        if (subscribers == null)
        {
            return;
        }

        Resp2.Next();
        Resp3.Next();
        foreach (var client in subscribers)
        {
            var buffer = client.Protocol == 2 ? Resp2 : Resp3;
            if (buffer.Length == 0 && !TryWrite(buffer, kind, to!.Name, channel, message))
            {
                var isTooLong = !buffer.HasRoom((long)to.Name.Length + channel.Length + message.Length);
                CutOff(client, executing, isTooLong);
            }
            else
            {
                Push(client, buffer, executing);
            }
        }
    }

    /// <summary>Pushes the current message of a buffer to a client, which may be closed by it.</summary>
    /// <param name="client">The client, of this worker.</param>
    /// <param name="buffer">Where the message is written.</param>
    /// <param name="executing">The command in whose midst this is done, or null.</param>
    public void Push(CommandClient client, PushBuffer buffer, CommandContext? executing)
    {
        if (client == executing?.Client && MayFollowReplies(executing))
        {
            executing.Reply.Raw(buffer.Current); // Behind the replies to what the client sent before.
        }
        else if (client.Connection.Output is { IsHolding: true } held
            && (client.ClosesAfterReply || held.IsOverLimit()))
        {
            End(client, executing);
        }
        else if (!client.Connection.TryPush(buffer.Writer, buffer.Start, buffer.Length, out var isFirst))
        {
            CutOff(client, executing, isTooLong: false);
        }
        else if (isFirst)
        {
            _pushedTo.Add(client.Connection);
        }
    }

    /// <summary>Sends what was pushed if it is much.</summary>
    public void SendMuch(CommandContext? executing)
    {
        if (Resp2.Writer.Length + Resp3.Writer.Length > ServerLimits.PushFlushBytes)
        {
            Send(executing, int.MaxValue);
        }
    }

    /// <summary>Whether what was replied so far is whole, and will be sent: not so within a transaction's reply, nor of
    /// a client that has switched replies off.</summary>
    private static bool MayFollowReplies(CommandContext executing)
        => !executing.Client.Connection.Output.IsHolding && !executing.Client.IsMuted;

    private bool TryWrite(
        PushBuffer buffer,
        ChannelKind kind,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> channel,
        ReadOnlySpan<byte> message)
    {
        var bytes = (long)name.Length + channel.Length + message.Length;
        if (!buffer.HasRoom(bytes) || (bytes > ServerLimits.FreeReplyBytes && Worker.Budget.WouldPassEnd(bytes)))
        {
            return false;
        }

        try
        {
            if (kind == ChannelKind.Pattern)
            {
                buffer.Write("pmessage"u8, name, channel, message);
            }
            else
            {
                buffer.Write(kind == ChannelKind.Shard ? "smessage"u8 : "message"u8, channel, message);
            }

            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            buffer.Undo();
            return false;
        }
    }

    /// <summary>A client cannot be given a message, for want of memory or as it is larger than one reply can be, which
    /// is beyond every limit of a client's output: it must not go on as if there had been none.</summary>
    public void CutOff(CommandClient client, CommandContext? executing, bool isTooLong)
    {
        if (isTooLong)
        {
            Worker.Server.Log.OutputBufferLimitReached(client.Id, client.Address.ToString(), int.MaxValue);
        }
        else
        {
            Worker.Server.Log.NoMemoryForClient(client.Id, client.Address.ToString());
        }

        End(client, executing);
    }

    /// <summary>Closes a client, if its command is executed behind the reply.</summary>
    private static void End(CommandClient client, CommandContext? executing)
    {
        if (client == executing?.Client)
        {
            client.ClosesAfterReply = true;
        }
        else
        {
            client.Connection.Close();
        }
    }

    /// <summary>Sends what was pushed. The connection whose command is executed must not be closed now: its messages go
    /// with the reply.</summary>
    private void Send(CommandContext? executing, int most)
    {
        for (; _sentTo < _pushedTo.Count; _sentTo++)
        {
            if (most-- == 0)
            {
                return;
            }

            var connection = _pushedTo[_sentTo];
            if (connection.Client == executing?.Client)
            {
                connection.Output.KeepPushed();
            }
            else
            {
                connection.SendLate();
            }
        }

        _sentTo = 0;
        _pushedTo.Clear();
        _resp2?.Clear();
        _resp3?.Clear();
    }
}
