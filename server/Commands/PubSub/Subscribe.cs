using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>SUBSCRIBE channel [channel ...]</summary>
internal static class Subscribe
{
    public static readonly CommandRow Row = new(
        "subscribe", -2, Subscribing.SubscribeFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Channels = ChannelUse.Subscribe,
        Since = "2.0.0",
        Summary = "Receives from now on what is published to channels.",
        Complexity = "O(N) for N channels",
        Syntax = "channel [channel ...]",
        IsForSubscribers = true,
        BytesPerName = Channel.BytesOfFirst,
    };

    private static void Execute(CommandContext context)
        => Subscribing.Subscribe(context, ChannelKind.Channel, "subscribe"u8);
}
