using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.PubSub;

/// <summary>What PUBLISH and SPUBLISH share.</summary>
internal static class Publishing
{
    /// <summary>How the commands differ from Redis's.</summary>
    public const string Differs =
        "Subscribers may get the messages that two clients publish at the same time in different orders. A message of "
        + "more than 128 KB is refused where maxmemory has no room for it.";

    public const CommandFlags Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale
        | CommandFlags.Fast | CommandFlags.MayReplicate;

    /// <summary>Whether the command has published before, and waits for the delivery: goes on with that.</summary>
    public static bool IsPublished(CommandContext context)
    {
        if (!DeliveryWait.IsUnderWay(context))
        {
            return false;
        }

        context.HasMore = !DeliveryWait.TrySettle(context);
        return true;
    }

    /// <summary>Answers how many received the message.</summary>
    public static void Reply(CommandContext context, long receivers)
    {
        var start = context.Reply.Length;
        context.Reply.Integer(receivers);
        if (context.Session.IsSubscriber && !context.IsInTransaction)
        {
            context.HasMore = !DeliveryWait.TrySettle(context); // Its own message comes next after the reply.
            if (context.HasMore && context.Session.IsMuted)
            {
                context.Reply.Rewind(start); // Else it would be sent before the command has ended.
            }
        }
    }
}
