using Strata.Server.Commands.Model;
using Strata.Storage;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG TIER-EAGER 0|1: whether all data leaves memory for the disk as soon as it can, and large collections
/// go there and come back in many steps; for tests.</summary>
internal static class DebugTierEager
{
    // So little that commands come between the steps.
    private const int StepEffort = 16;

    public static void Execute(CommandContext context)
    {
        if (context.Server.Shards.Tier is not { } tier)
        {
            context.Reply.Error("ERR all data is in memory: storage-tier is off");
        }
        else if (context.TryInteger(2, out var value))
        {
            tier.IsEager = value != 0;
            tier.StepEffort = tier.IsEager ? StepEffort : Limits.CollectionStepEffort;
            context.Reply.Ok();
        }
    }
}
