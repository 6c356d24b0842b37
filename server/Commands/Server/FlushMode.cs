using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>The argument of FLUSHALL and FLUSHDB. Both modes do the same: the keys are gone when the reply is sent, and
/// memory goes back by whole pages, not key by key, so there is nothing worth doing later.</summary>
internal static class FlushMode
{
    /// <summary>How the commands differ from Redis's.</summary>
    public const string Differs = "ASYNC works like SYNC.";

    /// <summary>Checks the arguments, and answers Redis's error when they are wrong.</summary>
    public static bool IsRight(CommandContext context)
    {
        if (context.Count == 1
            || (context.Count == 2 && (context.IsWord(1, "async"u8) || context.IsWord(1, "sync"u8))))
        {
            return true;
        }

        context.Reply.Error(Errors.Syntax);
        return false;
    }
}
