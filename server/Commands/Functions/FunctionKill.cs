using Strata.Server.Commands.Model;
using Strata.Server.Commands.Scripting;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION KILL</summary>
internal static class FunctionKill
{
    public static readonly CommandRow Row = new("kill", 2,
        CommandFlags.NoScript | CommandFlags.AllowBusy, KeySpec.None,
        static context => KillReply.Write(context, isFunction: true))
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        Summary = "Ends a function that runs for long and has changed nothing.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_shards", "response_policy:one_succeeded"],
    };
}
