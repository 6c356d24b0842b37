using Strata.Server.Commands.Model;

namespace Strata.Server.Messaging;

/// <summary>What one client subscribes to.</summary>
internal sealed class SessionSubscriptions
{
    private readonly CommandClient _client;
    private readonly MessageHub _hub;
    private readonly HashSet<Channel>?[] _channels = new HashSet<Channel>?[3];

    public SessionSubscriptions(CommandClient client, MessageHub hub)
    {
        _client = client;
        _hub = hub;
    }

    /// <summary>Whether there is any subscription.</summary>
    public bool AreAny
        => Count(ChannelKind.Channel) > 0 || Count(ChannelKind.Pattern) > 0 || Count(ChannelKind.Shard) > 0;

    /// <summary>Memory of the subscriptions, and of their channels as if nobody else had them, bytes.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>Subscriptions of a kind.</summary>
    public int Count(ChannelKind kind) => _channels[(int)kind]?.Count ?? 0;

    /// <summary>The number that replies tell: channels and patterns count together, shard channels alone.</summary>
    public int CountTold(ChannelKind kind)
        => kind == ChannelKind.Shard ? Count(kind) : Count(ChannelKind.Channel) + Count(ChannelKind.Pattern);

    /// <summary>Subscribes, unless that was done before.</summary>
    public void Add(ChannelKind kind, ReadOnlySpan<byte> name)
    {
        if (Find(kind, name) != null)
        {
            return;
        }

        var channel = _hub.DirectoryOf(kind).Subscribe(_client, name, out var isFirst);
        if (!AreAny)
        {
            _hub.OnSubscriber();
        }

        (_channels[(int)kind] ??= []).Add(channel);
        SizeBytes += Channel.BytesPerSubscription + channel.SizeBytes;
        if (isFirst)
        {
            _hub.OnAudienceChanged();
        }
    }

    /// <summary>Ends a subscription, if there is one.</summary>
    public void Remove(ChannelKind kind, ReadOnlySpan<byte> name)
    {
        if (Find(kind, name) is { } channel)
        {
            Remove(kind, channel);
        }
    }

    /// <summary>Ends a subscription, unless it has ended.</summary>
    public void Remove(ChannelKind kind, Channel channel)
    {
        if (_channels[(int)kind]?.Remove(channel) != true)
        {
            return;
        }

        if (!AreAny)
        {
            _hub.OnSubscriberGone();
        }

        SizeBytes -= Channel.BytesPerSubscription + channel.SizeBytes;
        if (_hub.DirectoryOf(kind).Unsubscribe(_client, channel))
        {
            _hub.OnAudienceChanged();
        }
    }

    /// <summary>Some of the subscriptions of a kind, as they are now.</summary>
    public Channel[] Some(ChannelKind kind, int most)
        => _channels[(int)kind] is { } channels ? [.. channels.Take(most)] : [];

    /// <summary>Ends all subscriptions: those of a client that has gone in steps.</summary>
    public void RemoveAll()
    {
        if (!AreAny)
        {
            return;
        }

        var atOnce = _client.Connection.IsClosed ? ServerLimits.GivenUpAtOnce : int.MaxValue;
        foreach (var kind in (ReadOnlySpan<ChannelKind>)[ChannelKind.Channel, ChannelKind.Pattern, ChannelKind.Shard])
        {
            RemoveAll(kind, atOnce);
        }
    }

    private void RemoveAll(ChannelKind kind, int atOnce)
    {
        if (Count(kind) > 0)
        {
            var all = new Channel[Count(kind)];
            _channels[(int)kind]!.CopyTo(all);
            _client.Worker.GiveUpInSteps(all.Length, i => Remove(kind, all[i]), atOnce);
        }
    }

    /// <summary>The channel of a name that the session subscribes to, or null.</summary>
    private Channel? Find(ChannelKind kind, ReadOnlySpan<byte> name)
    {
        if (Count(kind) == 0)
        {
            return null;
        }

        var channel = _hub.DirectoryOf(kind).Find(name, ChannelDirectory.HashOf(name));
        return channel != null && _channels[(int)kind]!.Contains(channel) ? channel : null;
    }
}
