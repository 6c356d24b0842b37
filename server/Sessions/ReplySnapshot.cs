using Strata.Server.Commands;

namespace Strata.Server.Sessions;

/// <summary>What a handler that only reads leaves behind: its reply, what it counted, and the cold records it asked
/// for. It can be taken back.</summary>
internal readonly record struct ReplySnapshot(int ReplyLength, long Hits, long Misses, int Asked)
{
    public static ReplySnapshot Of(CommandContext context)
        => new(context.Reply.Length, context.Hits, context.Misses, context.Cold?.Count ?? 0);

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
