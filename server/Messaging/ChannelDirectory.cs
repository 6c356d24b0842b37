using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Messaging;

/// <summary>
/// The channels (or the shard channels, or the patterns, of which <see cref="PatternDirectory"/> knows more) that have
/// subscribers, for the whole server. Subscribing takes a lock; whoever publishes looks names up, or goes through all
/// of them, without one.
/// </summary>
internal class ChannelDirectory
{
    private readonly Lock _lock = new();
    private readonly MemoryBudget _budget;
    private readonly ChainTable<Channel> _channels = new();

    /// <summary>No channels.</summary>
    /// <param name="workers">How many may have subscribers.</param>
    /// <param name="budget">What channels and subscriptions are charged to.</param>
    public ChannelDirectory(int workers, MemoryBudget budget)
    {
        Workers = workers;
        _budget = budget;
    }

    /// <summary>Channels with subscribers; any thread.</summary>
    public int Count => _channels.Count;

    /// <summary>How many workers may have subscribers.</summary>
    private protected int Workers { get; }

    /// <summary>The hash by which names are found.</summary>
    public static unsafe ulong HashOf(ReadOnlySpan<byte> name)
    {
        fixed (byte* start = name)
        {
            return KeyHash.Compute(start, name.Length, database: 0);
        }
    }

    /// <summary>The channel of a name; null when it has no subscribers. Any thread.</summary>
    public Channel? Find(ReadOnlySpan<byte> name, ulong hash)
    {
        for (var link = _channels.ChainOf(hash); link != null; link = link.Next)
        {
            if (link.Hash == hash && name.SequenceEqual(link.Item.Name))
            {
                return link.Item;
            }
        }

        return null;
    }

    /// <summary>Subscribes a client, which must not subscribe to the channel yet; on its worker.</summary>
    /// <param name="client">The subscriber.</param>
    /// <param name="name">The channel's name.</param>
    /// <param name="isFirst">Whether there was no channel before.</param>
    public Channel Subscribe(CommandClient client, ReadOnlySpan<byte> name, out bool isFirst)
    {
        var hash = HashOf(name);
        lock (_lock)
        {
            var channel = Find(name, hash);
            isFirst = channel == null && Count == 0;
            if (channel == null)
            {
                channel = Create(name, hash);
                _channels.Insert(channel, hash);
                _budget.Charge(channel.SizeBytes);
            }

            channel.Add(client);
            _budget.Charge(Channel.BytesPerSubscription);
            return channel;
        }
    }

    /// <summary>Ends a subscription; on the client's worker.</summary>
    /// <returns>Whether no channel is left.</returns>
    public bool Unsubscribe(CommandClient client, Channel channel)
    {
        lock (_lock)
        {
            channel.Remove(client);
            _budget.Charge(-Channel.BytesPerSubscription);
            if (channel.Total > 0)
            {
                return false;
            }

            _channels.Remove(channel, channel.Hash);
            OnRemoved(channel);
            _budget.Charge(-channel.SizeBytes);
            return Count == 0;
        }
    }

    /// <summary>Goes through the channels as they are now. Any thread.</summary>
    public ChainTable<Channel>.Enumerator GetEnumerator() => _channels.GetEnumerator();

    /// <summary>Makes a channel that is not there; under the lock.</summary>
    private protected virtual Channel Create(ReadOnlySpan<byte> name, ulong hash) => new(name, hash, Workers);

    /// <summary>A channel has lost its last subscriber; under the lock.</summary>
    private protected virtual void OnRemoved(Channel channel)
    {
    }
}
