using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>The container of LATENCY's subcommands.</summary>
internal static class Latency
{
    public static readonly CommandRow Row = new("latency", -2,
        CommandFlags.None,
        LatencyDoctor.Row,
        LatencyGraph.Row,
        LatencyHistogramCommand.Row,
        LatencyHistory.Row,
        LatencyLatest.Row,
        LatencyReset.Row,
        SubcommandHelp.Row(CommandGroup.Server, "2.8.13"))
    {
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Summary = "Shows where time was lost.",
        Complexity = "Depends on the subcommand.",
    };
}
