using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG PAUSE-CRON 0|1: whether the workers leave their background work undone: expiry, eviction, compaction,
/// looking after connections. What commands need they do all the same.</summary>
internal static class DebugPauseCron
{
    public static void Execute(CommandContext context)
    {
        if (context.TryInteger(2, out var value))
        {
            context.Services.IsCronPaused = value != 0;
            context.Reply.Ok();
        }
    }
}
