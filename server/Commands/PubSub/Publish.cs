using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.PubSub;

/// <summary>PUBLISH channel message</summary>
internal static class Publish
{
    public static readonly CommandRow Row = new("publish", 3, Publishing.Flags, KeySpec.None, Execute)
    {
        Group = CommandGroup.PubSub,
        Channels = ChannelUse.Publish,
        Since = "2.0.0",
        Summary = "Sends a message to all who subscribe to a channel, by its name or by a pattern.",
        Differs = Publishing.Differs,
        Complexity = "O(N+M) for N receivers and M patterns that anyone subscribes to",
        Syntax = "channel message",
    };

    private static void Execute(CommandContext context)
        => Publishing.Reply(
            context, context.Services.Messages.Publish(context.Argument(1), context.Argument(2), asks: true));
}
