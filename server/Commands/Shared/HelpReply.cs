using System.Text;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Shared;

/// <summary>Lines of help, as Redis sends them: an array of simple strings.</summary>
internal static class HelpReply
{
    public static void Write(CommandContext context, IReadOnlyList<string> lines)
    {
        context.Reply.Array(lines.Count);
        foreach (var line in lines)
        {
            context.Reply.Simple(Encoding.Latin1.GetBytes(line));
        }
    }
}
