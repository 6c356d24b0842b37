using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG HOLD-LEASE shard milliseconds: for tests of what other workers do when a lease is taken.</summary>
internal static class DebugHoldLease
{
    public static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var number) || !context.TryInteger(3, out var milliseconds))
        {
            return;
        }

        var shards = context.Server.Shards;
        if (number < 0 || number >= shards.Count || milliseconds < 0 || milliseconds > int.MaxValue)
        {
            context.Reply.Error(Errors.IndexOutOfRange);
            return;
        }

        Thread.Sleep((int)milliseconds);
        context.Reply.Ok();
    }
}
