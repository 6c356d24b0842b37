using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBSUB NUMPAT</summary>
internal static class PubSubNumPat
{
    public static readonly CommandRow Row = new("numpat", 2, SubscriptionCounts.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        Summary = "Tells how many different patterns are subscribed to.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
        => context.Reply.Integer(context.Services.Messages.Patterns.Count);
}
