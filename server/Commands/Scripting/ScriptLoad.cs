using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>SCRIPT LOAD</summary>
internal static class ScriptLoad
{
    public static readonly CommandRow Row = new("load", 3,
        CommandFlags.NoScript | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "2.6.0",
        Summary = "Keeps a script, and tells the SHA-1 of its body.",
        Complexity = "O(N) where N is the length of the script",
        Syntax = "script",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context) => context.Session.Worker.Scripts.Load(context);
}
