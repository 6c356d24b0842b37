using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Journal;

namespace Strata.Server.Commands.Shared;

/// <summary>A command's change of what lies in no shard.</summary>
internal static class UnshardedChange
{
    /// <summary>What tells the journal of the change, if it wants to know at that moment: it may have been turned on
    /// since the command was begun, as no lease is held.</summary>
    public static Action Told(CommandContext context)
        => context.Effects is { } effects
            ? effects.MarkChanged
            : new UnshardedEffects(context.Services.Journal, context).MarkChanged;
}
