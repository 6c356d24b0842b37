namespace Strata.Server.Messaging;

/// <summary>What a message in a mailbox is, and whom it is for.</summary>
internal enum MessageKind
{
    /// <summary>PUBLISH: for the subscribers of its channel, and of patterns that match it.</summary>
    Published,

    /// <summary>SPUBLISH: for the subscribers of its shard channel.</summary>
    PublishedToShard,

    /// <summary>A key was changed, whose name stands in the channel's place: for clients that have read it.</summary>
    KeyChanged,

    /// <summary>The same, for the client to which one of another worker redirects what it is told.</summary>
    KeyChangedForOther,
}
