using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Keys;

/// <summary>What DEL and UNLINK do: a record becomes garbage in its page, whatever its size, and its space is found
/// again by compaction.</summary>
internal static class Deletion
{
    public static void Execute(CommandContext context)
    {
        if (DeletionPass.Executes(context))
        {
            return;
        }

        var deleted = 0;
        var change = context.Change(KeyEvent.Del);
        foreach (var key in context.KeysFrom(1))
        {
            deleted += context.ShardOf(key).TryRemove(key, context.NowMs, context.Cold, change) ? 1 : 0;
        }

        context.Reply.Integer(deleted);
    }
}
