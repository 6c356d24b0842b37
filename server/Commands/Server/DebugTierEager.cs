namespace Strata.Server.Commands.Server;

/// <summary>DEBUG TIER-EAGER 0|1: whether all data leaves memory for the disk as soon as it can; for tests.</summary>
internal static class DebugTierEager
{
    public static void Execute(CommandContext context)
    {
        if (context.Server.Shards.Tier is not { } tier)
        {
            context.Reply.Error("ERR all data is in memory: storage-tier is off");
        }
        else if (context.TryInteger(2, out var value))
        {
            tier.IsEager = value != 0;
            context.Reply.Ok();
        }
    }
}
