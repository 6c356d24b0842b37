using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Scripting.Functions;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION DELETE</summary>
internal static class FunctionDelete
{
    public static readonly CommandRow Row = new("delete", 3,
        CommandFlags.NoScript | CommandFlags.Write, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        Summary = "Deletes a library and its functions.",
        Complexity = "O(N) where N is the number of its functions",
        Syntax = "library-name",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        var argument = context.Argument(2);
        if (argument.Length > ServerLimits.MaxShebangBytes)
        {
            context.Reply.Error("ERR Library not found"u8); // No library can have such a name.
            return;
        }

        var name = Encoding.Latin1.GetString(argument);
        var problem = context.Services.Scripts.Functions.Apply((LibrarySet current, out LibrarySet changed) =>
        {
            changed = current.Without(name);
            return changed == current ? "Library not found" : null;
        }, UnshardedChange.Told(context));
        if (problem != null)
        {
            context.Reply.Error("ERR " + problem);
            return;
        }

        context.Services.OnEveryWorker(static worker => worker.Functions.Adopt());
        context.Reply.Ok();
    }
}
