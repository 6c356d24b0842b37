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
        SubcommandHelp.Row(CommandGroup.Scripting, "5.0.0", AclCategories.Scripting, isRedisText: true))
    {
        Group = CommandGroup.Scripting,
        Since = "2.6.0",
        Summary = "Keeps scripts by the SHA-1 of their bodies.",
        Complexity = "Depends on the subcommand.",
        HelpLines =
        [
            "DEBUG (YES|SYNC|NO)",
            "    Set the debug mode for subsequent scripts executed.",
            "EXISTS <sha1> [<sha1> ...]",
            "    Return information about the existence of the scripts in the script cache.",
            "FLUSH [ASYNC|SYNC]",
            "    Flush the Lua scripts cache. Very dangerous on replicas.",
            "    When called without the optional mode argument, the behavior is determined by the",
            "    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
            "    * ASYNC: Asynchronously flush the scripts cache.",
            "    * SYNC: Synchronously flush the scripts cache.",
            "KILL",
            "    Kill the currently executing Lua script.",
            "LOAD <script>",
            "    Load a script into the scripts cache without executing it.",
        ],
    };
}
