using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBSUB, the container of the commands that tell about subscriptions.</summary>
internal static class PubSub
{
    public static readonly CommandRow Row = new(
        "pubsub",
        -2,
        CommandFlags.None,
        PubSubChannels.Row,
        SubcommandHelp.Row(CommandGroup.PubSub, "6.2.0"),
        PubSubNumPat.Row,
        PubSubNumSub.Row,
        PubSubShardChannels.Row,
        PubSubShardNumSub.Row)
    {
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        Summary = "A container of commands about subscriptions.",
        Complexity = "Depends on subcommand.",
    };
}
