using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG SET-ACTIVE-EXPIRE 0|1: whether expired keys are deleted in the background; those that are asked for
/// are deleted in any case.</summary>
internal static class DebugSetActiveExpire
{
    public static void Execute(CommandContext context)
    {
        if (context.TryInteger(2, out var value))
        {
            foreach (var shard in context.Server.Shards.All)
            {
                shard.IsExpiryActive = value != 0;
            }

            context.Reply.Ok();
        }
    }
}
