using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG SMALL-MAXMEMORY 0|1: whether CONFIG SET takes a maxmemory that is too small to work with; for tests
/// of what happens when memory is short.</summary>
internal static class DebugSmallMaxMemory
{
    public static void Execute(CommandContext context)
    {
        if (context.TryInteger(2, out var value))
        {
            context.Server.LeastMemory.IsDemanded = value == 0;
            context.Reply.Ok();
        }
    }
}
