using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>MODULE LIST</summary>
internal static class ModuleList
{
    public static readonly CommandRow Row = new("list", 2,
        CommandFlags.Admin | CommandFlags.NoScript, KeySpec.None, static context => context.Reply.Array(0))
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Summary = "Lists the modules: there are none.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output_order"],
    };
}
