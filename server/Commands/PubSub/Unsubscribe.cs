using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>UNSUBSCRIBE [channel [channel ...]]</summary>
internal static class Unsubscribe
{
    public static readonly CommandRow Row = new("unsubscribe", -1, Subscribing.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "2.0.0",
        Summary = "Receives from some channels, or from all, no longer.",
        Complexity = "O(N) for N channels",
        Syntax = "[channel [channel ...]]",
        IsForSubscribers = true,
    };

    private static void Execute(CommandContext context)
        => Subscribing.Unsubscribe(context, ChannelKind.Channel, "unsubscribe"u8);
}
