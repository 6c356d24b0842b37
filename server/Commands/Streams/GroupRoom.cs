using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Memory for consumers and for what becomes pending. As in Redis, commands that make such are executed while
/// memory is over its limit, so that what is in streams can be read and acknowledged; here only until memory is at its
/// end. Who takes none is not refused.</summary>
internal static class GroupRoom
{
    // Of a consumer, besides its name, or of an entry that becomes pending.
    private const int LeastBytes = 1024;

    /// <summary>Whether a command that takes memory would find none, and none can be made for it at a glance.</summary>
    public static bool IsScarce(CommandContext context)
        => context.Server.Shards.Budget.WouldPassEndNow(LeastBytes) && !context.Session.IsLoader;

    /// <summary>Asks for memory, before anything is changed.</summary>
    /// <exception cref="Storage.Memory.MemoryExhaustedException">Memory is at its end.</exception>
    public static void Ask(CommandContext context)
        => context.Server.Shards.Budget.AskForValue(LeastBytes + context.Request.ArgumentBytes, neededBytes: 0);

    /// <summary>Asks for memory where a command that claims entries takes some.</summary>
    /// <param name="context">The command, whose third argument is the consumer.</param>
    /// <param name="group">The group.</param>
    /// <param name="adds">Whether entries that nobody has may become pending.</param>
    /// <inheritdoc cref="Ask"/>
    public static void AskForClaim(CommandContext context, StreamGroup group, bool adds)
    {
        if (IsScarce(context) && (adds || !group.TryFindConsumer(context.Argument(3), out _)))
        {
            Ask(context);
        }
    }
}
