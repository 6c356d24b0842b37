using Strata.Server.Commands.Model;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Server;

/// <summary>MEMORY USAGE key [SAMPLES count]</summary>
internal static class MemoryUsage
{
    public static readonly CommandRow Row = new("usage", -3,
        CommandFlags.ReadOnly, new KeySpec(2, 2, 1, KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Summary = "Tells how many bytes a key takes, with its value and its place in the index.",
        Differs = "Counts Strata's own structures, and all of a collection: SAMPLES changes nothing.",
        Complexity = "O(1)",
        Syntax = "key [SAMPLES count]",
    };

    private static void Execute(CommandContext context)
    {
        for (var i = 3; i < context.Count; i += 2)
        {
            if (!context.IsWord(i, "samples"u8) || i + 1 >= context.Count)
            {
                context.Reply.Error(Errors.Syntax);
                return;
            }

            if (!context.TryInteger(i + 1, out var samples))
            {
                return;
            }

            if (samples < 0)
            {
                context.Reply.Error(Errors.Syntax);
                return;
            }
        }

        if (context.TryPeek(context.KeyAt(2), out var record))
        {
            context.Reply.Integer(ShardCollections.UsageOf(record));
        }
        else
        {
            context.Reply.Null();
        }
    }
}
