using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Observation;

/// <summary>STRATA BIGKEYS [DB db] [COUNT count]</summary>
internal static class StrataBigKeys
{
    public static readonly CommandRow Row = new("bigkeys", -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.AllShards, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = StrataReports.Since,
        IsReport = true,
        Summary = "Shows the keys that take most memory, or most of the disk.",
        Complexity = "O(N log N) where N is the number of keys that are known by name, some thousands at most",
        Syntax = "[DB db] [COUNT count]",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        if (!ReportPass.TryGoOn(context) && CensusOptions.TryParse(context, hasRule: false, out var request))
        {
            ReportPass.Begin(context, new BigKeysPass(context, request));
        }
    }
}
