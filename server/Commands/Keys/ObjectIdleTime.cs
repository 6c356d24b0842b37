using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT IDLETIME key</summary>
internal static class ObjectIdleTime
{
    public static readonly CommandRow Row = new(
        "idletime", 3, CommandFlags.ReadOnly | CommandFlags.KeyOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.2.3",
        Summary = "Tells for how many seconds a key was not used.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryExamine(context.KeyAt(2), out var record))
        {
            context.Reply.Null();
            return;
        }

        if (context.Server.Configuration.Current.MaxMemoryPolicy
            is MaxMemoryPolicy.AllKeysLfu or MaxMemoryPolicy.VolatileLfu)
        {
            context.Reply.Error("ERR An LFU maxmemory policy is selected, idle time not tracked. "u8
                + "Please note that when switching between policies at runtime LRU and LFU data will take some time "u8
                + "to adjust."u8);
            return;
        }

        context.Reply.Integer(AccessClock.IdleSeconds(record.Accessed, AccessClock.At(context.NowMs)));
    }
}
