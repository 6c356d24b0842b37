using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>The container of CONFIG's subcommands.</summary>
internal static class Config
{
    public static readonly CommandRow Row = new("config", -2,
        CommandFlags.None,
        ConfigGet.Row,
        ConfigResetStat.Row,
        ConfigRewrite.Row,
        ConfigSet.Row,
        SubcommandHelp.Row(CommandGroup.Server, "5.0.0"))
    {
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Summary = "Shows and changes the configuration of the running server.",
        Complexity = "Depends on the subcommand.",
    };
}
