using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Diagnostics.Traffic;

namespace Strata.Server.Commands.Observation;

/// <summary>STRATA HOTKEYS [READS | WRITES | BYTES] [COUNT count]</summary>
internal static class StrataHotKeys
{
    public static readonly CommandRow Row = new("hotkeys", -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = StrataReports.Since,
        IsReport = true,
        Summary = "Shows the keys that were used most in the last minutes: read, written, or by their bytes.",
        Complexity = "O(N log N) where N is the number of keys that are watched, some thousands at most",
        Syntax = "[READS|WRITES|BYTES] [COUNT count]",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        if (!ReportPass.TryGoOn(context) && TryParse(context, out var measure, out var count))
        {
            ReportPass.Begin(context, new HotKeysPass(context, measure, count));
        }
    }

    private static bool TryParse(CommandContext context, out HotKeyMeasure measure, out int count)
    {
        measure = HotKeyMeasure.Reads;
        count = TrafficLimits.HotKeysTold;
        for (var i = 2; i < context.Count; i++)
        {
            if (i == 2 && TryMeasure(context, out measure))
            {
                continue;
            }

            if (i != context.Count - 2 || !context.IsWord(i, "count"u8))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (!PositiveArgument.TryReadCount(context, ++i, out count))
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryMeasure(CommandContext context, out HotKeyMeasure measure)
    {
        measure = context.IsWord(2, "writes"u8) ? HotKeyMeasure.Writes
            : context.IsWord(2, "bytes"u8) ? HotKeyMeasure.Bytes
            : HotKeyMeasure.Reads;
        return measure != HotKeyMeasure.Reads || context.IsWord(2, "reads"u8);
    }
}
