using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>SCRIPT KILL</summary>
internal static class ScriptKill
{
    public static readonly CommandRow Row = new("kill", 2,
        CommandFlags.NoScript | CommandFlags.AllowBusy, KeySpec.None,
        static context => KillReply.Write(context, isFunction: false))
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "2.6.0",
        Summary = "Ends a script that runs for long and has changed nothing.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_shards", "response_policy:one_succeeded"],
    };
}
