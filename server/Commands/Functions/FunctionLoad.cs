using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION LOAD</summary>
internal static class FunctionLoad
{
    public static readonly CommandRow Row = new("load", -3,
        CommandFlags.NoScript | CommandFlags.Write | CommandFlags.DenyOom, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        Summary = "Loads a library of functions.",
        Complexity = "O(N) where N is the length of the library, which runs once",
        Syntax = "[REPLACE] function-code",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        var last = context.Count - 1;
        for (var i = 2; i < last; i++)
        {
            if (!context.IsWord(i, "replace"u8))
            {
                var option = EchoedArgument.Of(context.Argument(i)).TrimEnd('\r', '\n');
                context.Reply.Error($"ERR Unknown option given: {option}");
                return;
            }
        }

        context.Session.Worker.Functions.Load(context, context.Argument(last), replaces: last > 2);
    }
}
