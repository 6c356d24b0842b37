using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBSUB SHARDCHANNELS [pattern]</summary>
internal static class PubSubShardChannels
{
    public static readonly CommandRow Row = new("shardchannels", -2, SubscriptionCounts.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Lists the shard channels that have subscribers, all or those that match a pattern.",
        Complexity = "O(N) for N shard channels",
        Syntax = "[pattern]",
    };

    private static void Execute(CommandContext context)
        => SubscriptionCounts.ReplyNames(context, ChannelKind.Shard);
}
