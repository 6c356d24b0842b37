using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG LOG message: a line for the server's log, quoted.</summary>
internal static class DebugLog
{
    public static void Execute(CommandContext context)
    {
        using var line = new MemoryStream();
        MonitorLine.Quote(line, context.Argument(2));
        context.Server.Log.DebugMessage(Encoding.ASCII.GetString(line.GetBuffer(), 0, (int)line.Length));
        context.Reply.Ok();
    }
}
