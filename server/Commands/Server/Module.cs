using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>MODULE, the container of its subcommands: there are no modules, and none can be loaded.</summary>
internal static class Module
{
    public static readonly CommandRow Row = new("module", -2,
        CommandFlags.None,
        ModuleList.Row,
        ModuleLoading.LoadRow,
        ModuleLoading.LoadExRow,
        ModuleLoading.UnloadRow,
        SubcommandHelp.Row(CommandGroup.Server, "5.0.0"))
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Summary = "A container of the commands about modules.",
        Complexity = "Depends on the subcommand.",
    };
}
