using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUNSUBSCRIBE [pattern [pattern ...]]</summary>
internal static class PUnsubscribe
{
    public static readonly CommandRow Row = new("punsubscribe", -1, Subscribing.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "2.0.0",
        Summary = "Receives by some patterns, or by all, no longer.",
        Complexity = "O(N) for N patterns",
        Syntax = "[pattern [pattern ...]]",
        IsForSubscribers = true,
    };

    private static void Execute(CommandContext context)
        => Subscribing.Unsubscribe(context, ChannelKind.Pattern, "punsubscribe"u8);
}
