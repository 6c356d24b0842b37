using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG SMALL-STEPS 0|1: whether commands over few elements, too, go on in steps; for tests of what others
/// may do in between.</summary>
internal static class DebugSmallSteps
{
    private const int Effort = 4;

    public static void Execute(CommandContext context)
    {
        if (context.TryInteger(2, out var value))
        {
            context.Server.EffortAtOnce = value == 0 ? ServerLimits.EffortAtOnce : Effort;
            context.Reply.Ok();
        }
    }
}
