using System.Text;
using System.Text.RegularExpressions;

namespace Strata.Server.Commands;

/// <summary>The handler of HELP subcommands: lists the siblings from their rows. Words of a row's syntax that stand
/// for a value are put in angle brackets.</summary>
internal static class HelpReply
{
    public static void Execute(CommandContext context)
    {
        var container = context.Row.Container!;
        var rows = container.Subcommands!.Rows;
        context.Reply.Array(1 + (2 * rows.Count));
        Line(context, $"{container.Name.ToUpperInvariant()} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        foreach (var row in rows)
        {
            var syntax = Regex.Replace(row.Syntax, "[a-z][a-z0-9-]*", "<$0>");
            Line(context, $"{row.Name.ToUpperInvariant()} {syntax}".TrimEnd());
            Line(context, $"    {row.Summary}");
        }
    }

    private static void Line(CommandContext context, string text) => context.Reply.Simple(Encoding.UTF8.GetBytes(text));
}
