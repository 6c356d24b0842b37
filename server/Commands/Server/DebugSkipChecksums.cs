using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG SET-SKIP-CHECKSUM-VALIDATION 0|1: whether RESTORE and the loading of RDB files pass over checksums,
/// for tests of what is damaged behind a right one.</summary>
internal static class DebugSkipChecksums
{
    public static void Execute(CommandContext context)
    {
        if (context.TryInteger(2, out var value))
        {
            context.Server.SkipsChecksums = value != 0;
            context.Reply.Ok();
        }
    }
}
