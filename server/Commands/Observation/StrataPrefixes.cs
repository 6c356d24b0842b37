using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Observation;

/// <summary>STRATA PREFIXES [SEP separator] [DEPTH depth] [DB db] [COUNT count]</summary>
internal static class StrataPrefixes
{
    public static readonly CommandRow Row = new("prefixes", -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.AllShards, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = StrataReports.Since,
        IsReport = true,
        Summary = "Tells what memory, and what of the disk, goes by prefixes of keys.",
        Complexity = "O(N log N) where N is the number of keys that are known by name, some thousands at most",
        Syntax = "[SEP separator] [DEPTH depth] [DB db] [COUNT count]",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        if (!ReportPass.TryGoOn(context) && CensusOptions.TryParse(context, hasRule: true, out var request))
        {
            ReportPass.Begin(context, new PrefixesPass(context, request));
        }
    }
}
