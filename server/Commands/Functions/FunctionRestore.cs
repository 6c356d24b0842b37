using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION RESTORE</summary>
internal static class FunctionRestore
{
    public static readonly CommandRow Row = new("restore", -3,
        CommandFlags.NoScript | CommandFlags.Write | CommandFlags.DenyOom, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        Summary = "Loads the libraries of a payload of FUNCTION DUMP.",
        Complexity = "O(N) where N is the length of the libraries, which run once",
        Syntax = "serialized-value [FLUSH | APPEND | REPLACE]",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 4)
        {
            SubcommandSyntax.Refuse(context);
            return;
        }

        RestorePolicy? policy = context.Count == 3 || context.IsWord(3, "append"u8) ? RestorePolicy.Append
            : context.IsWord(3, "replace"u8) ? RestorePolicy.Replace
            : context.IsWord(3, "flush"u8) ? RestorePolicy.Flush
            : null;
        if (policy == null)
        {
            context.Reply.Error("ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE."u8);
            return;
        }

        context.Session.Worker.Functions.Restore(context, context.Argument(2), policy.Value);
    }
}
