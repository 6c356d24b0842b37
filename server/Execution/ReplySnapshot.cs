using Strata.Server.Commands.Model;
using Strata.Storage.Tiering;

namespace Strata.Server.Execution;

/// <summary>How things were before a handler ran: its reply, what it counts, and the cold records it asks for can be
/// taken back.</summary>
internal readonly record struct ReplySnapshot(int ReplyLength, long Hits, long Misses, int Asked, long ColdMisses)
{
    /// <summary>Takes one, forgets what the last handler could not read, and says what this one wants to.</summary>
    public static ReplySnapshot Take(CommandContext context)
    {
        var (reply, hits, misses) = (context.Reply.Length, context.Hits, context.Misses);
        if (context.Cold is not { } cold)
        {
            return new(reply, hits, misses, 0, 0);
        }

        context.BeginLookups();
        cold.TakesValues = !context.Row.Has(CommandFlags.KeyOnly);
        return new(reply, hits, misses, cold.Count, cold.Misses);
    }

    /// <summary>Whether all records that were looked up since could be had.</summary>
    public bool IsAllAtHand(ColdReadSet cold) => cold.Misses == ColdMisses && cold.Failure == ColdReadFailure.None;

    /// <summary>Takes the reply back, and what was counted.</summary>
    public void Restore(CommandContext context)
    {
        context.Reply.Rewind(ReplyLength);
        context.Hits = Hits;
        context.Misses = Misses;
    }

    /// <summary>Takes back what was asked for: a shard was half changed when it was.</summary>
    public void ForgetAsked(CommandContext context) => context.Cold?.Rewind(Asked);
}
