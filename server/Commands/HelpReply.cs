using System.Text;

namespace Strata.Server.Commands;

/// <summary>The reply of a container's HELP subcommand: an array of simple strings between Redis's first and last lines.
/// </summary>
internal static class HelpReply
{
    /// <summary>Writes the reply.</summary>
    /// <param name="context">The HELP command.</param>
    /// <param name="lines">Each subcommand with its arguments as Redis's HELP names them, its explanation indented under
    /// it.</param>
    public static void Write(CommandContext context, params ReadOnlySpan<string> lines)
    {
        var reply = context.Reply;
        reply.Array(lines.Length + 3);
        var verb = Encoding.Latin1.GetString(context.Argument(0)).ToUpperInvariant();
        Line(context, $"{verb} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        foreach (var line in lines)
        {
            Line(context, line);
        }

        Line(context, "HELP");
        Line(context, "    Print this help.");
    }

    private static void Line(CommandContext context, string text)
        => context.Reply.Simple(Encoding.Latin1.GetBytes(text));
}
