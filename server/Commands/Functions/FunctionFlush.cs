using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Scripting.Functions;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION FLUSH</summary>
internal static class FunctionFlush
{
    public static readonly CommandRow Row = new("flush", -2,
        CommandFlags.NoScript | CommandFlags.Write, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        Summary = "Deletes all libraries and their functions.",
        Complexity = "O(N) where N is the number of functions",
        Syntax = "[ASYNC | SYNC]",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 3)
        {
            SubcommandSyntax.Refuse(context);
            return;
        }

        if (context.Count == 3 && !context.IsWord(2, "sync"u8) && !context.IsWord(2, "async"u8))
        {
            context.Reply.Error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option"u8);
            return;
        }

        _ = context.Services.Scripts.Functions.Apply(static (LibrarySet _, out LibrarySet changed) =>
        {
            changed = LibrarySet.Empty;
            return null;
        }, UnshardedChange.Told(context));
        context.Services.OnEveryWorker(static worker => worker.Functions.Adopt());
        context.Reply.Ok();
    }
}
