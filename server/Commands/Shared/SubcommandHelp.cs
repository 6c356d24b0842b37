using System.Text.RegularExpressions;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Shared;

/// <summary>The HELP subcommand of every container: its text is made from the subcommands' rows, unless the container
/// has Redis's. Words of a row's syntax that stand for a value are put in angle brackets.</summary>
public static partial class SubcommandHelp
{
    /// <summary>The row of a container's HELP.</summary>
    /// <param name="group">The container's group.</param>
    /// <param name="since">The Redis version that has it first.</param>
    /// <param name="categories">Its categories.</param>
    /// <param name="isRedisText">Whether the container has <see cref="CommandRow.HelpLines"/>.</param>
    public static CommandRow Row(
        CommandGroup group, string since, AclCategories categories = AclCategories.None, bool isRedisText = false)
        => new("help", 2, CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
        {
            Group = group,
            Categories = categories,
            Since = since,
            Summary = "Lists the subcommands.",
            Differs = isRedisText ? null : "Other words.",
            Complexity = "O(1)",
        };

    /// <summary>The lines for a container, in Redis's layout.</summary>
    /// <param name="container">The container.</param>
    /// <param name="verb">What the client calls it, in upper case.</param>
    private static List<string> Lines(CommandRow container, string verb)
    {
        var lines = new List<string>
        {
            $"{verb} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        };
        lines.AddRange(container.HelpLines ?? []);
        foreach (var row in container.Subcommands!.Rows)
        {
            if (container.HelpLines == null && row.Name != "help")
            {
                lines.Add($"{row.Name.ToUpperInvariant()} {ValueWord().Replace(row.Syntax, "<$0>")}".TrimEnd());
                lines.Add($"    {row.Summary}");
            }
        }

        lines.Add("HELP");
        lines.Add("    Print this help.");
        return lines;
    }

    [GeneratedRegex("[a-z][a-z0-9-]*")]
    private static partial Regex ValueWord();

    private static void Execute(CommandContext context) => HelpReply.Write(
        context, Lines(context.Row.Container!, EchoedArgument.InUpperCase(context.Argument(0))));
}
