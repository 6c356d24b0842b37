using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBSUB NUMSUB [channel [channel ...]]</summary>
internal static class PubSubNumSub
{
    public static readonly CommandRow Row = new("numsub", -2, SubscriptionCounts.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        IsReport = true,
        Summary = "Tells how many clients subscribe to channels by their names.",
        Complexity = "O(N) for N channels",
        Syntax = "[channel [channel ...]]",
    };

    private static void Execute(CommandContext context)
        => SubscriptionCounts.ReplyCounts(context, ChannelKind.Channel);
}
