using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Observation;

/// <summary>The container of STRATA's subcommands: what only this server tells.</summary>
internal static class StrataReports
{
    /// <summary>The Redis version beside which its commands came.</summary>
    public const string Since = "7.2.0";

    public static readonly CommandRow Row = new("strata", -2,
        CommandFlags.None,
        StrataBigKeys.Row,
        StrataClients.Row,
        StrataCurve.Row,
        StrataHotKeys.Row,
        StrataPrefixes.Row,
        SubcommandHelp.Row(CommandGroup.Server, Since))
    {
        Group = CommandGroup.Server,
        Since = Since,
        Summary = "Tells of keys, and of the clients that use them.",
        IsOwn = true,
        Complexity = "Depends on the subcommand.",
    };
}
