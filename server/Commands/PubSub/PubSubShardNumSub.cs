using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBSUB SHARDNUMSUB [shardchannel [shardchannel ...]]</summary>
internal static class PubSubShardNumSub
{
    public static readonly CommandRow Row = new("shardnumsub", -2, SubscriptionCounts.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Tells how many clients subscribe to shard channels.",
        Complexity = "O(N) for N shard channels",
        Syntax = "[shardchannel [shardchannel ...]]",
    };

    private static void Execute(CommandContext context)
        => SubscriptionCounts.ReplyCounts(context, ChannelKind.Shard);
}
