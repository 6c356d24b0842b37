using Strata.Server.Commands.Model;
using Strata.Server.Runtime;
using Strata.Storage.Memory;

namespace Strata.Server.Messaging;

/// <summary>Publish and subscribe for the whole server: who subscribes to what, and the way of a message to the workers
/// that have subscribers. Any thread.</summary>
internal sealed class MessageHub
{
    private readonly Mailbox[] _mailboxes;
    private readonly MemoryBudget _budget;
    private int _workersBehind;
    private int _pausedDeliveries;
    private int _subscribers;

    public MessageHub(ServerContext server)
    {
        _mailboxes = new Mailbox[server.WorkerCount];
        _budget = server.Shards.Budget;
        Channels = new ChannelDirectory(server.WorkerCount, server.Shards.Budget);
        Patterns = new PatternDirectory(server.WorkerCount, server.Shards.Budget);
        ShardChannels = new ChannelDirectory(server.WorkerCount, server.Shards.Budget);
    }

    /// <summary>Called, by whichever thread, after a directory got its first channel or lost its last.</summary>
    public event Action? AudienceChanged;

    public ChannelDirectory Channels { get; }

    public PatternDirectory Patterns { get; }

    public ChannelDirectory ShardChannels { get; }

    /// <summary>Clients that subscribe to something.</summary>
    public int Subscribers => Volatile.Read(ref _subscribers);

    /// <summary>Whether somebody subscribes to a channel or a pattern.</summary>
    public bool HasAudience => Channels.Count > 0 || Patterns.Count > 0;

    /// <summary>Whether a worker is so far behind with its deliveries that clients should not publish more, nor change
    /// keys whose events are published, until it has caught up.</summary>
    public bool IsBehind => Volatile.Read(ref _workersBehind) > 0;

    /// <summary>Whether a worker is in the midst of a delivery that others have their turn between.</summary>
    public bool IsDeliveryPaused => Volatile.Read(ref _pausedDeliveries) > 0;

    /// <summary>The channels of a kind.</summary>
    public ChannelDirectory DirectoryOf(ChannelKind kind) => kind switch
    {
        ChannelKind.Pattern => Patterns,
        ChannelKind.Shard => ShardChannels,
        _ => Channels,
    };

    /// <summary>A client got its first subscription.</summary>
    public void OnSubscriber() => Interlocked.Increment(ref _subscribers);

    /// <summary>A client lost its last subscription.</summary>
    public void OnSubscriberGone() => Interlocked.Decrement(ref _subscribers);

    /// <summary>A directory got its first channel, or lost its last.</summary>
    public void OnAudienceChanged() => AudienceChanged?.Invoke();

    /// <summary>Sends a message to all who subscribe to a channel or a pattern that matches it, in one go.</summary>
    /// <param name="channel">The channel's name.</param>
    /// <param name="message">The message.</param>
    /// <param name="asks">Whether a long one is refused, with nothing sent, where there is no memory for it.</param>
    /// <returns>How many times it is received: a client with a matching pattern beside the channel counts twice.
    /// </returns>
    /// <exception cref="NoRoomException">It is refused.</exception>
    /// <exception cref="MemoryExhaustedException">It is refused, whatever was given up for it.</exception>
    public long Publish(ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message, bool asks = false)
    {
        _ = TryPublish(channel, message, long.MaxValue, asks, out var receivers);
        return receivers;
    }

    /// <summary>The same, if the patterns that match are soon found.</summary>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, ReadOnlySpan{byte}, bool)"/>
    /// <param name="channel">The channel's name.</param>
    /// <param name="message">The message.</param>
    /// <param name="effort">How much may be done for it (<see cref="PatternWalk"/>).</param>
    /// <param name="asks">Whether a long one is refused.</param>
    /// <param name="receivers">How many times it is received.</param>
    /// <returns>False when finding them takes longer, and nothing was sent.</returns>
    public bool TryPublish(
        ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message, long effort, bool asks, out long receivers)
    {
        Span<bool> receiving = stackalloc bool[_mailboxes.Length];
        receiving.Clear();
        receivers = 0;
        if (Patterns.Count > 0)
        {
            var walk = new PatternWalk(Patterns);
            if (!TryCount(ref walk, channel, receiving, ref receivers, effort))
            {
                return false;
            }
        }

        receivers = Publish(channel, message, receiving, receivers, asks);
        return true;
    }

    /// <summary>Goes on to find those who are to receive a message.</summary>
    /// <param name="audience">Those who were found by now.</param>
    /// <param name="channel">The channel's name.</param>
    /// <param name="effort">How much may be done (<see cref="PatternWalk"/>).</param>
    /// <returns>Whether all were found who subscribe to a pattern.</returns>
    public static bool TryFind(Audience audience, ReadOnlySpan<byte> channel, long effort)
        => TryCount(ref audience.Walk, channel, audience.Receiving, ref audience.Receivers, effort);

    /// <summary>Sends a message, long ones if there is memory for it, to those who were found for it and to all who
    /// subscribe to the channel.</summary>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, ReadOnlySpan{byte}, bool)"/>
    public long Publish(Audience audience, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message)
        => Publish(channel, message, audience.Receiving, audience.Receivers, asks: true);

    /// <summary>Sends a message to all who subscribe to a shard channel.</summary>
    /// <returns>How many they are.</returns>
    /// <exception cref="NoRoomException">It is long, and there is no memory for it; nothing was sent.</exception>
    /// <exception cref="MemoryExhaustedException">Nor is there, whatever was given up for it.</exception>
    public long PublishToShard(ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message)
    {
        var hash = ChannelDirectory.HashOf(channel);
        Span<bool> receiving = stackalloc bool[_mailboxes.Length];
        receiving.Clear();
        var receivers = Count(ShardChannels.Find(channel, hash), receiving);
        if (receivers > 0)
        {
            Post(receiving, hash, isShard: true, channel, message, asks: true);
        }

        return receivers;
    }

    /// <summary>A worker got behind, or has caught up.</summary>
    public void CountBehind(int change) => Interlocked.Add(ref _workersBehind, change);

    /// <summary>Lets a client wait until a worker that is behind has delivered what is there now.</summary>
    public void Wait(CommandClient client)
    {
        var behind = client.Worker;
        foreach (var mailbox in _mailboxes)
        {
            behind = mailbox.IsBehind ? mailbox.Worker : behind;
        }

        client.Park();
        behind.PostWithin(() => client.Worker.PostWithin(client.Resume));
    }

    /// <summary>A worker pauses in the midst of a delivery, or does so no longer.</summary>
    public void CountPaused(int change) => Interlocked.Add(ref _pausedDeliveries, change);

    /// <summary>A worker's mailbox was made.</summary>
    public void Add(Mailbox mailbox) => _mailboxes[mailbox.Worker.Number] = mailbox;

    private static bool TryCount(
        ref PatternWalk walk, ReadOnlySpan<byte> channel, Span<bool> receiving, ref long receivers, long effort)
    {
        while (walk.TryFind(channel, worker: -1, ref effort, out var pattern))
        {
            if (pattern == null)
            {
                return true;
            }

            receivers += Count(pattern, receiving);
        }

        return false;
    }

    private static long Count(Channel? channel, Span<bool> receiving)
    {
        var receivers = 0L;
        for (var i = 0; channel != null && i < receiving.Length; i++)
        {
            var count = channel.CountOf(i);
            receivers += count;
            receiving[i] |= count > 0;
        }

        return receivers;
    }

    private long Publish(
        ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message, Span<bool> receiving, long receivers, bool asks)
    {
        var hash = ChannelDirectory.HashOf(channel);
        receivers += Count(Channels.Find(channel, hash), receiving);
        if (receivers > 0)
        {
            Post(receiving, hash, isShard: false, channel, message, asks);
        }

        return receivers;
    }

    private void Post(
        ReadOnlySpan<bool> receiving,
        ulong hash,
        bool isShard,
        ReadOnlySpan<byte> channel,
        ReadOnlySpan<byte> message,
        bool asks)
    {
        var length = (long)channel.Length + message.Length;
        if (length <= ServerLimits.LongestMessageInMailbox)
        {
            Deal(receiving, hash, isShard, channel, message, shared: default);
            return;
        }

        var workers = receiving.Count(true);
        if (asks && length > ServerLimits.FreeReplyBytes)
        {
            _budget.AskForValue(length * (1 + workers), neededBytes: 0); // Each writes it once for its subscribers.
        }

        SharedMessage shared;
        try
        {
            shared = new SharedMessage(_budget, channel, message);
        }
        catch (OutOfMemoryException)
        {
            _mailboxes[0].Worker.Server.Log.NoMemoryForMessage(length);
            return;
        }

        Deal(receiving, hash, isShard, channel, message, shared);
        shared.Release(_budget);
    }

    private void Deal(
        ReadOnlySpan<bool> receiving,
        ulong hash,
        bool isShard,
        ReadOnlySpan<byte> channel,
        ReadOnlySpan<byte> message,
        in SharedMessage shared)
    {
        var header = new MessageHeader
        {
            Hash = hash,
            Kind = isShard ? MessageKind.PublishedToShard : MessageKind.Published,
        };
        for (var i = 0; i < receiving.Length; i++)
        {
            if (receiving[i])
            {
                _ = _mailboxes[i].TryAdd(header, channel, message, shared);
            }
        }
    }
}
