using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Scripting;

/// <summary>The container of SCRIPT's subcommands.</summary>
internal static class ScriptContainer
{
    public static readonly CommandRow Row = new("script", -2,
        CommandFlags.None,
        ScriptDebug.Row,
        ScriptExists.Row,
        ScriptFlush.Row,
        ScriptKill.Row,
        ScriptLoad.Row,
        SubcommandHelp.Row(CommandGroup.Scripting, "5.0.0", AclCategories.Scripting))
    {
        Group = CommandGroup.Scripting,
        Since = "2.6.0",
        Summary = "Keeps scripts by the SHA-1 of their bodies.",
        Complexity = "Depends on the subcommand.",
    };
}
