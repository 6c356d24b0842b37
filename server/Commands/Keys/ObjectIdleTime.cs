using Strata.Server.Options;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT IDLETIME key</summary>
/// <remarks>Reads leave a count of two bits in the index entry and no time, so there is nothing to answer from; a
/// made-up time would let tools that delete idle keys delete busy ones.</remarks>
internal static class ObjectIdleTime
{
    public static readonly CommandRow Row = new("idletime", 3, CommandFlags.ReadOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.2.3",
        Summary = "Refuses to tell for how long a key was not used: no time of access is kept.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInspect(context.KeyAt(2), out _))
        {
            context.Reply.Null();
            return;
        }

        var isLfu = context.Server.Configuration.Current.MaxMemoryPolicy
            is MaxMemoryPolicy.AllKeysLfu or MaxMemoryPolicy.VolatileLfu;
        context.Reply.Error(isLfu
            ? "ERR An LFU maxmemory policy is selected, idle time not tracked. "u8
                + "Please note that when switching between policies at runtime LRU and LFU data will take some time "u8
                + "to adjust."u8
            : "ERR idle time is not tracked: reads leave no time of access. "u8
                + "Under an LFU maxmemory-policy OBJECT FREQ tells how often a key was read lately."u8);
    }
}
