using Strata.Server.Commands.Model;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Shared;

/// <summary>Memory that the server will hold for a client, for each name that a command gives: of channels that it
/// subscribes to, of keys that it watches or waits for.</summary>
internal static class HeldRoom
{
    /// <summary>What a command's names may take, bytes; 0 if it is not that sort of command.</summary>
    public static long BytesOf(CommandContext context)
        => context.Row.BytesPerName == 0
            ? 0
            : ((long)context.Count * context.Row.BytesPerName) + context.Request.ArgumentBytes;

    /// <summary>Whether a client may have the server hold so many bytes without their being asked for.</summary>
    public static bool IsFree(MemoryBudget budget, long bytes)
        => bytes <= ServerLimits.FreelyHeldBytesAtEnd || (bytes <= ServerLimits.FreelyHeldBytes && !budget.IsAtEnd);

    /// <summary>Asks for it, before any of it is taken. A client may have a little in any case.</summary>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    public static void Ask(CommandContext context)
    {
        var bytes = BytesOf(context);
        var budget = context.Server.Shards.Budget;
        if (!IsFree(budget, bytes))
        {
            budget.AskForValue(bytes, neededBytes: 0);
        }
    }
}
