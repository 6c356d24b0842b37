using Strata.Server.Commands.Model;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT FREQ key</summary>
internal static class ObjectFreq
{
    public static readonly CommandRow Row = new(
        "freq", 3, CommandFlags.ReadOnly | CommandFlags.KeyOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "4.0.0",
        Summary = "Tells how often a key was used lately: a logarithmic counter, 0 to 255.",
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

        if (context.ShardOf(key).Frequencies is not { } frequencies)
        {
            context.Reply.Error("ERR An LFU maxmemory policy is not selected, access frequency not tracked. "u8
                + "Please note that when switching between policies at runtime LRU and LFU data will take some time "u8
                + "to adjust."u8);
            return;
        }

        context.Reply.Integer(RecordUsage.Frequency(frequencies, record, context.NowMs));
    }
}
