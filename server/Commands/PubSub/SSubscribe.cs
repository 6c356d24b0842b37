using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>SSUBSCRIBE shardchannel [shardchannel ...]</summary>
internal static class SSubscribe
{
    public static readonly CommandRow Row = new(
        "ssubscribe", -2, Subscribing.SubscribeFlags, KeySpec.All(KeyAccess.NotKey), Execute)
    {
        Group = CommandGroup.PubSub,
        Channels = ChannelUse.Subscribe,
        Since = "7.0.0",
        Summary = "Receives from now on what is published to shard channels.",
        Complexity = "O(N) for N shard channels",
        Syntax = "shardchannel [shardchannel ...]",
        IsForSubscribers = true,
        BytesPerName = Channel.BytesOfFirst,
    };

    private static void Execute(CommandContext context)
        => Subscribing.Subscribe(context, ChannelKind.Shard, "ssubscribe"u8);
}
