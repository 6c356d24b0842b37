namespace Strata.Server.Messaging;

/// <summary>What stands before a message in a mailbox. The channel's name follows, then the message's bytes, unless
/// they are in a block of their own.</summary>
internal unsafe struct MessageHeader
{
    /// <summary>The hash of the channel's name, or of the key.</summary>
    public ulong Hash;

    /// <summary>Of a key that was changed, the client that has done it, 0 for none, or the one that is to be told.
    /// </summary>
    public long Client;

    /// <summary>Where name and message are when they are too long for the mailbox; its reader gives it back.</summary>
    public SharedMessage Shared;

    /// <summary>Bytes of the channel's name.</summary>
    public int ChannelLength;

    /// <summary>Bytes of the message.</summary>
    public int MessageLength;

    /// <summary>What it is.</summary>
    public MessageKind Kind;

    /// <summary>Bytes of name and message.</summary>
    public readonly long Length => (long)ChannelLength + MessageLength;

    /// <summary>Bytes in the mailbox, this header included; a multiple of 8.</summary>
    public readonly long SizeBytes => sizeof(MessageHeader) + (Shared.IsNone ? (Length + 7) & ~7L : 0);
}
