using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>The container of SLOWLOG's subcommands.</summary>
internal static class Slowlog
{
    public static readonly CommandRow Row = new("slowlog", -2,
        CommandFlags.None,
        SlowlogGet.Row,
        SlowlogLen.Row,
        SlowlogReset.Row,
        SubcommandHelp.Row(CommandGroup.Server, "6.2.0"))
    {
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Summary = "Shows the commands that took long.",
        Complexity = "Depends on the subcommand.",
    };
}
