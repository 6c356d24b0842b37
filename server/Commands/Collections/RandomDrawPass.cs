using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Collections;

/// <summary>Many elements of a large collection that are drawn at random, in steps.</summary>
/// <typeparam name="TSource">The collection.</typeparam>
internal sealed class RandomDrawPass<TSource> : KeyPass
    where TSource : struct, IElementSource, allows ref struct
{
    private readonly OpenElements<TSource> _open;
    private readonly long _nowMs;
    private RandomDraw _draw;

    private RandomDrawPass(CommandContext context, OpenElements<TSource> open, in RandomDraw draw)
        : base(context)
    {
        _open = open;
        _nowMs = context.NowMs;
        _draw = draw;
    }

    /// <summary>Begins.</summary>
    /// <param name="context">The command.</param>
    /// <param name="open">Opens the collection.</param>
    /// <param name="draw">What is asked for.</param>
    public static void Begin(CommandContext context, OpenElements<TSource> open, in RandomDraw draw)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        Begin(context, new RandomDrawPass<TSource>(context, open, draw), context.Key);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        if (!context.TryPeek(context.Key, out var record))
        {
            return false; // The key has gone, and the command begins anew.
        }

        var source = _open(record, _nowMs);
        if (!_draw.TryGoOn(context.Random, Reply, source, EffortOfStep(context)))
        {
            return false;
        }

        context.Reply.TakeFrom(Reply);
        return true;
    }
}
