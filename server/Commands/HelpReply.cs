using System.Text;

namespace Strata.Server.Commands;

/// <summary>The handler of every HELP subcommand: lists its siblings from their rows.</summary>
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
            Line(context, $"{row.Name.ToUpperInvariant()} {row.Syntax}".TrimEnd());
            Line(context, $"    {row.Summary}");
        }
    }

    private static void Line(CommandContext context, string text) => context.Reply.Simple(Encoding.UTF8.GetBytes(text));
}
