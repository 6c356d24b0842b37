using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>SUNSUBSCRIBE [shardchannel [shardchannel ...]]</summary>
internal static class SUnsubscribe
{
    public static readonly CommandRow Row = new(
        "sunsubscribe", -1, Subscribing.Flags, KeySpec.All(KeyAccess.NotKey), Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "7.0.0",
        Summary = "Receives from some shard channels, or from all, no longer.",
        Complexity = "O(N) for N shard channels",
        Syntax = "[shardchannel [shardchannel ...]]",
        IsForSubscribers = true,
    };

    private static void Execute(CommandContext context)
        => Subscribing.Unsubscribe(context, ChannelKind.Shard, "sunsubscribe"u8);
}
