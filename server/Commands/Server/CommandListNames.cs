using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Server;

/// <summary>COMMAND LIST [FILTERBY MODULE | ACLCAT | PATTERN …]</summary>
internal static class CommandListNames
{
    public static readonly CommandRow Row = new("list", -2,
        CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Lists the names of commands and subcommands.",
        Complexity = "O(N) where N is the number of commands",
        Syntax = "[FILTERBY <MODULE module-name|ACLCAT category|PATTERN pattern>]",
        Tips = ["nondeterministic_output_order"],
    };

    private static void Execute(CommandContext context)
    {
        if (!TryParseFilter(context, out var isListed))
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        var names = new List<string>();
        Collect(context.Services.Commands, isListed, names);
        context.Reply.Array(names.Count);
        foreach (var name in names)
        {
            context.Reply.Bulk(name);
        }
    }

    private static bool TryParseFilter(CommandContext context, out Func<CommandRow, bool> isListed)
    {
        isListed = static _ => true;
        if (context.Count == 2)
        {
            return true;
        }

        if (context.Count != 5 || !context.IsWord(2, "filterby"u8))
        {
            return false;
        }

        var argument = context.Argument(4).ToArray();
        if (context.IsWord(3, "module"u8))
        {
            isListed = static _ => false; // There are no modules, so no command is of one.
        }
        else if (context.IsWord(3, "aclcat"u8))
        {
            var category = AclCategoryNames.Find(Encoding.Latin1.GetString(argument));
            isListed = row => (row.AllCategories & category) != 0;
        }
        else if (context.IsWord(3, "pattern"u8))
        {
            isListed = row => GlobPattern.IsMatch(argument, Encoding.ASCII.GetBytes(row.FullName), ignoreCase: true);
        }
        else
        {
            return false;
        }

        return true;
    }

    private static void Collect(CommandTable table, Func<CommandRow, bool> isListed, List<string> names)
    {
        foreach (var row in table.Rows)
        {
            if (isListed(row))
            {
                names.Add(row.FullName);
            }

            if (row.Subcommands != null)
            {
                Collect(row.Subcommands, isListed, names);
            }
        }
    }
}
