using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.PubSub;

/// <summary>SPUBLISH shardchannel message</summary>
internal static class SPublish
{
    public static readonly CommandRow Row = new(
        "spublish", 3, Publishing.Flags, KeySpec.One(KeyAccess.NotKey), Execute)
    {
        Group = CommandGroup.PubSub,
        Channels = ChannelUse.Publish,
        Since = "7.0.0",
        Summary = "Sends a message to all who subscribe to a shard channel.",
        Differs = Publishing.Differs,
        Complexity = "O(N) for N receivers",
        Syntax = "shardchannel message",
    };

    private static void Execute(CommandContext context)
    {
        if (!Publishing.IsPublished(context))
        {
            Publishing.Reply(
                context, context.Services.Messages.PublishToShard(context.Argument(1), context.Argument(2)));
        }
    }
}
