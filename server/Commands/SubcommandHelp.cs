namespace Strata.Server.Commands;

/// <summary>The HELP subcommand of every container: its text is made from the subcommands' rows.</summary>
public static class SubcommandHelp
{
    /// <summary>The row of a container's HELP.</summary>
    public static CommandRow Row(
        CommandGroup group, string since, AclCategories categories = AclCategories.None)
        => new("help", 2, CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
        {
            Group = group,
            Categories = categories,
            Since = since,
            Summary = "Lists the subcommands.",
            Complexity = "O(1)",
        };

    /// <summary>The lines for a container, in Redis's layout.</summary>
    public static IReadOnlyList<string> Lines(CommandRow container)
    {
        var lines = new List<string>
        {
            $"{container.Name.ToUpperInvariant()} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        };
        foreach (var row in container.Subcommands!.Rows)
        {
            if (row.Name != "help")
            {
                lines.Add($"{row.Name.ToUpperInvariant()} {row.Syntax}".TrimEnd());
                lines.Add($"    {row.Summary}");
            }
        }

        lines.Add("HELP");
        lines.Add("    Print this help.");
        return lines;
    }

    private static void Execute(CommandContext context) => HelpReply.Write(context, Lines(context.Row.Container!));
}
