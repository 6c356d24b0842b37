using Strata.Server.Clients;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>COMMAND DOCS [command-name ...]</summary>
internal static class CommandDocs
{
    public static readonly CommandRow Row = new("docs", -2,
        CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Documents commands: summary, group, arguments.",
        Differs = "Summaries, complexities and what later versions added are in other words.",
        Complexity = "O(N) where N is the number of commands",
        Syntax = "[command-name [command-name ...]]",
        Tips = ["nondeterministic_output_order"],
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 2)
        {
            NamesPass.Answer(context, first: 2, TryWrite, static (reply, count) => reply.Map(count));
            return;
        }

        var rows = context.Services.Commands.Rows;
        context.Reply.Map(rows.Count);
        foreach (var row in rows)
        {
            CommandDocsReply.WriteNamed(context, row);
        }
    }

    private static bool TryWrite(CommandContext context, int index)
    {
        if (context.Services.Commands.FindByFullName(context.Argument(index)) is not { } row)
        {
            return false;
        }

        CommandDocsReply.WriteNamed(context, row);
        return true;
    }
}
