using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XCLAIM key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds] [RETRYCOUNT
/// count] [FORCE] [JUSTID] [LASTID lastid]</summary>
internal static class XClaim
{
    public static readonly CommandRow Row = new("xclaim", -6,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Makes pending entries those of another consumer.",
        Complexity = "O(log(N)) for each id, with N entries pending",
        Tips = ["nondeterministic_output"],
        Syntax = "key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds] "
            + "[RETRYCOUNT count] [FORCE] [JUSTID] [LASTID lastid]",
    };

    private static void Execute(CommandContext context)
    {
        if (!StreamAccess.TryEditGroup(context, out var stream, out var group)
            || !ClaimArguments.TryParse(context, out var claim))
        {
            return;
        }

        var claiming = new Claiming(context, group) { IsJustId = claim.IsJustId };
        var hasRead = claim.LastId > group.LastId;
        if (hasRead)
        {
            stream.SetGroup(group, claim.LastId, group.EntriesRead);
        }

        claiming.Begin(ref stream);
        var start = context.Reply.Length;
        var claimed = 0L;
        for (var i = ClaimArguments.FirstId; i < claim.End; i++)
        {
            claimed += TryClaim(context, ref stream, ref claiming, claim, StreamArguments.IdAt(context, i)) ? 1 : 0;
        }

        StreamReply.Head(context.Reply, start, claimed);
        if (hasRead && !claiming.HasChanged && context.Effects is { } effects)
        {
            StreamEffects.SetGroup(effects, context.Key, group);
        }

        claiming.End(ref stream, hasRead);
    }

    private static bool TryClaim(
        CommandContext context,
        scoped ref StreamEditor stream,
        scoped ref Claiming claiming,
        in ClaimArguments claim,
        StreamId id)
    {
        var isPending = claiming.Group.TryFindPending(id, out var entry);
        if (!stream.Read().Contains(id))
        {
            if (isPending)
            {
                claiming.Forget(ref stream, entry);
            }

            return false;
        }

        if (isPending
            ? claim.MinIdleMs > 0 && context.NowMs - entry.DeliveredMs < claim.MinIdleMs
            : !claim.Forces)
        {
            return false;
        }

        var deliveries = claim.Deliveries >= 0 ? claim.Deliveries
            : (isPending ? entry.Deliveries : 1) + (claim.IsJustId ? 0 : 1);
        claiming.Take(ref stream, id, claim.DeliveredMs, deliveries);
        return true;
    }
}
