using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Shared;

/// <summary>
/// A command that takes many elements out of a large collection, or adds many to it, in steps: what the collection is
/// to be is made beside it, and takes its place in the last step, so that nobody sees half of it. That goes over all
/// elements, and is for commands that change a good part of them. Where there is no memory for both the change is made
/// in place and in one go, as it needs none then.
/// </summary>
internal abstract class RewritePass : ResultPass
{
    // A change is made beside the collection if that has at most so many times the elements that change.
    private const int MostParts = 8;

    private protected RewritePass(CommandContext context, Shard shard)
        : base(context, shard)
    {
    }

    /// <summary>Whether a change of a collection is to be made in steps.</summary>
    /// <param name="context">The command.</param>
    /// <param name="changed">Elements that it takes out or adds, about.</param>
    /// <param name="count">Elements of the collection.</param>
    /// <param name="largeBytes">What it takes if it is large, bytes, and otherwise 0.</param>
    private protected static bool IsLongChange(CommandContext context, long changed, long count, long largeBytes)
        => changed >= count / MostParts && !context.Row.Has(CommandFlags.Blocking)
            && IsLong(context, changed, Math.Max(changed, count), largeBytes);

    /// <summary>Goes on with the change.</summary>
    /// <inheritdoc cref="KeyPass.TryStep"/>
    private protected abstract bool TryRewrite(CommandContext context);

    /// <inheritdoc/>
    private protected sealed override bool TryStep(CommandContext context)
    {
        try
        {
            return TryRewrite(context);
        }
        catch (MemoryExhaustedException exception) when (exception is not ReplyRefusedException)
        {
            AbandonNow();
            BeginAnewAtOnce();
            return false;
        }
    }
}
