using Strata.Server.Commands.Model;
using Strata.Server.Messaging;

namespace Strata.Server.Commands.PubSub;

/// <summary>PSUBSCRIBE pattern [pattern ...]</summary>
internal static class PSubscribe
{
    public static readonly CommandRow Row = new(
        "psubscribe", -2, Subscribing.SubscribeFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Channels = ChannelUse.SubscribeToPatterns,
        Since = "2.0.0",
        Summary = "Receives from now on what is published to channels that match patterns.",
        Complexity = "O(N) for N patterns",
        Syntax = "pattern [pattern ...]",
        IsForSubscribers = true,
        BytesPerName = Channel.BytesOfFirst + PatternDirectory.BytesPerPattern,
    };

    private static void Execute(CommandContext context)
        => Subscribing.Subscribe(context, ChannelKind.Pattern, "psubscribe"u8);
}
