using Strata.Server.Notifications;

namespace Strata.Server.Commands.Keys;

/// <summary>What DEL and UNLINK do: a record becomes garbage in its page, whatever its size, and its space is found
/// again by compaction.</summary>
internal static class Deletion
{
    public static void Execute(CommandContext context)
    {
        var deleted = 0;
        foreach (var key in context.KeysFrom(1))
        {
            if (context.ShardOf(key).TryRemove(key, context.NowMs))
            {
                context.Notify(NotificationClasses.Generic, "del"u8, key);
                deleted++;
            }
        }

        context.Reply.Integer(deleted);
    }
}
