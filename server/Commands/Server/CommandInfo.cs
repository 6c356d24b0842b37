using Strata.Server.Clients;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>COMMAND INFO [command-name ...]</summary>
internal static class CommandInfo
{
    public static readonly CommandRow Row = new("info", -2,
        CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        IsReport = true,
        Summary = "Describes commands: arity, flags, keys.",
        Differs = CommandInfoReply.Differs,
        Complexity = "O(N) where N is the number of commands",
        Syntax = "[command-name [command-name ...]]",
        Tips = ["nondeterministic_output_order"],
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count == 2)
        {
            CommandInfoReply.WriteAll(context, context.Services.Commands);
            return;
        }

        NamesPass.Answer(context, first: 2, Write, static (reply, count) => reply.Array(count));
    }

    private static bool Write(CommandContext context, int index)
    {
        if (context.Services.Commands.FindByFullName(context.Argument(index)) is { } row)
        {
            CommandInfoReply.Write(context, row);
        }
        else
        {
            context.Reply.Null();
        }

        return true;
    }
}
