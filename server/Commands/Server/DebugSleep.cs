using System.Buffers.Text;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG SLEEP seconds: the worker of the client does nothing for that time. With Redis that is the whole
/// server; here the clients of other workers go on.</summary>
internal static class DebugSleep
{
    public static void Execute(CommandContext context)
    {
        var isNumber = Utf8Parser.TryParse(context.Argument(2), out double seconds, out var used)
            && used == context.Argument(2).Length;
        var milliseconds = isNumber && seconds > 0 ? Math.Min(seconds * 1000, int.MaxValue) : 0;
        Thread.Sleep((int)milliseconds);
        context.Reply.Ok();
    }
}
