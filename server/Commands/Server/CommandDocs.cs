using Strata.Server.Clients;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;

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
        Summary = "Documents commands: summary, group, arguments.",
        Differs = "Summaries, complexities and what later versions added are in other words.",
        Complexity = "O(N) where N is the number of commands",
        Syntax = "[command-name [command-name ...]]",
        Tips = ["nondeterministic_output_order"],
    };

    private static void Execute(CommandContext context)
    {
        var rows = new List<CommandRow>(context.Services.Commands.Rows);
        if (context.Count > 2)
        {
            rows.Clear();
            for (var i = 2; i < context.Count; i++)
            {
                if (context.Services.Commands.FindByFullName(context.Argument(i)) is { } row)
                {
                    rows.Add(row);
                }
            }
        }

        context.Reply.Map(rows.Count);
        foreach (var row in rows)
        {
            CommandDocsReply.WriteNamed(context, row);
        }
    }
}
