using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBSUB CHANNELS [pattern]</summary>
internal static class PubSubChannels
{
    public static readonly CommandRow Row = new("channels", -2, SubscriptionCounts.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        IsReport = true,
        Summary = "Lists the channels that have subscribers, all or those that match a pattern.",
        Complexity = "O(N) for N channels",
        Syntax = "[pattern]",
    };

    private static void Execute(CommandContext context)
        => SubscriptionCounts.ReplyNames(context, ChannelKind.Channel);
}
