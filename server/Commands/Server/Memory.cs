using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>The container of MEMORY's subcommands.</summary>
internal static class Memory
{
    public static readonly CommandRow Row = new("memory", -2,
        CommandFlags.None,
        MemoryDoctor.Row,
        MemoryMallocStats.Row,
        MemoryPurge.Row,
        MemoryStats.Row,
        MemoryUsage.Row,
        SubcommandHelp.Row(CommandGroup.Server, "4.0.0"))
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Summary = "Shows where the memory is.",
        Complexity = "Depends on the subcommand.",
    };
}
