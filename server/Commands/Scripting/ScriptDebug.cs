using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>SCRIPT DEBUG</summary>
internal static class ScriptDebug
{
    public static readonly CommandRow Row = new("debug", 3, CommandFlags.NoScript, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "3.2.0",
        Summary = "Would switch the debugger of scripts on or off.",
        Complexity = "O(1)",
        Syntax = "<YES | SYNC | NO>",
        Differs = "There is no debugger: YES and SYNC are refused.",
    };

    private static void Execute(CommandContext context)
    {
        if (context.IsWord(2, "no"u8))
        {
            context.Reply.Ok();
        }
        else if (context.IsWord(2, "yes"u8) || context.IsWord(2, "sync"u8))
        {
            context.Reply.Error("ERR there is no debugger of scripts: use redis.log, or debug them on Redis"u8);
        }
        else
        {
            context.Reply.Error("ERR Use SCRIPT DEBUG YES/SYNC/NO"u8);
        }
    }
}
