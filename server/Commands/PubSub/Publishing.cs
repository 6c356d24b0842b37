using Strata.Storage;

namespace Strata.Server.Commands.PubSub;

/// <summary>What PUBLISH and SPUBLISH share.</summary>
internal static class Publishing
{
    public const CommandFlags Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale
        | CommandFlags.Fast | CommandFlags.MayReplicate;

    /// <summary>Answers how many received the message. Where a worker is behind with delivery, the client waits for
    /// that first: otherwise what it publishes could pile up without end.</summary>
    public static void Reply(CommandContext context, long receivers)
    {
        if (receivers > 0 && IsAnyBehind(context.Server))
        {
            // The workers come to the question when they have delivered what was there before it.
            context.Session.AskWorkers(static _ => true, (reply, _) => reply.Integer(receivers));
        }
        else
        {
            context.Reply.Integer(receivers);
            if (context.Session.IsSubscriber)
            {
                context.Session.Worker.Messages.Settle(context); // Its own message comes next after the reply.
            }
        }
    }

    private static bool IsAnyBehind(StrataServer server)
    {
        foreach (var worker in server.Workers)
        {
            if (worker.Messages.Mailbox.WaitingBytes > Limits.MailboxHighWaterBytes)
            {
                return true;
            }
        }

        return false;
    }
}
