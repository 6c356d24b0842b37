using Strata.Server.Commands.Model;

namespace Strata.Server.Messaging;

/// <summary>Whom a worker's clients are told by that keys they may have kept have changed. Worker's thread only.
/// </summary>
internal interface IInvalidations
{
    /// <summary>Tells those it is for of a key.</summary>
    /// <param name="header">What stands before the message.</param>
    /// <param name="key">The key's name.</param>
    /// <param name="executing">The command in whose midst this is done, or null.</param>
    void Deliver(in MessageHeader header, ReadOnlySpan<byte> key, CommandContext? executing);

    /// <summary>All messages there were have been delivered: tells what has no message of its own.</summary>
    /// <param name="executing">The command in whose midst this is done, or null.</param>
    void EndDelivery(CommandContext? executing);
}
