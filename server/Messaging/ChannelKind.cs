namespace Strata.Server.Messaging;

/// <summary>What clients subscribe to.</summary>
public enum ChannelKind
{
    /// <summary>SUBSCRIBE: a channel by its name.</summary>
    Channel,

    /// <summary>PSUBSCRIBE: all channels that match a pattern.</summary>
    Pattern,

    /// <summary>SSUBSCRIBE: a shard channel; a name space of its own.</summary>
    Shard,
}
