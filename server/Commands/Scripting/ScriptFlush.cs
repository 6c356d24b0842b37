using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>SCRIPT FLUSH</summary>
internal static class ScriptFlush
{
    public static readonly CommandRow Row = new("flush", -2,
        CommandFlags.NoScript, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "2.6.0",
        Summary = "Forgets all scripts.",
        Complexity = "O(N) where N is the number of scripts",
        Syntax = "[ASYNC | SYNC]",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 3 || (context.Count == 3 && !context.IsWord(2, "sync"u8) && !context.IsWord(2, "async"u8)))
        {
            context.Reply.Error("ERR SCRIPT FLUSH only support SYNC|ASYNC option"u8);
            return;
        }

        context.Services.Scripts.Cache.Flush();
        context.Reply.Ok();
    }
}
