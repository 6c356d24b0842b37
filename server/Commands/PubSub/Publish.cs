using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

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
    {
        var messages = context.Services.Messages;
        if (context.IsInTransaction)
        {
            Publishing.Reply(context, messages.Publish(context.Argument(1), context.Argument(2), asks: true));
            return;
        }

        if (Publishing.IsPublished(context))
        {
            return;
        }

        var session = context.Session;
        if (session.Unfinished is not PublishPass pass)
        {
            var effort = GlobMatch.EffortOf(context.Server.EffortAtOnce);
            if (messages.TryPublish(context.Argument(1), context.Argument(2), effort, asks: true, out var receivers))
            {
                Publishing.Reply(context, receivers);
                return;
            }

            session.EndUnfinished();
            session.Unfinished = pass = new PublishPass(context);
        }

        context.HasMore |= !pass.TryStep(context);
    }
}
