using Strata.Server.Commands.Model;
using Strata.Storage.Records;

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
        var key = context.KeyAt(2);
        if (!context.TryExamine(key, out var record))
        {
            context.Reply.Null();
            return;
        }

        if (context.ShardOf(key).Frequencies != null)
        {
            context.Reply.Error("ERR An LFU maxmemory policy is selected, idle time not tracked. "u8
                + "Please note that when switching between policies at runtime LRU and LFU data will take some time "u8
                + "to adjust."u8);
            return;
        }

        context.Reply.Integer(RecordUsage.IdleSeconds(record, context.NowMs));
    }
}
