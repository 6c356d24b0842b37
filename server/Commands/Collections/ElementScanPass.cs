using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Collections;

/// <summary>A call of HSCAN, SSCAN or ZSCAN that asks for many elements of a large collection, in steps.</summary>
/// <typeparam name="TSource">The collection.</typeparam>
internal sealed unsafe class ElementScanPass<TSource> : KeyPass
    where TSource : struct, IElementSource, allows ref struct
{
    private readonly OpenElements<TSource> _open;
    private readonly bool _withValues;
    private readonly long _nowMs;
    private ScanProgress _progress;

    private ElementScanPass(
        CommandContext context, OpenElements<TSource> open, in ScanProgress progress, bool withValues)
        : base(context)
    {
        _open = open;
        _progress = progress;
        _withValues = withValues;
        _nowMs = context.NowMs;
    }

    /// <summary>Begins.</summary>
    /// <param name="context">The command.</param>
    /// <param name="open">Opens the collection.</param>
    /// <param name="progress">Where it begins.</param>
    /// <param name="withValues">Whether each element is followed by its value or score.</param>
    public static void Begin(
        CommandContext context, OpenElements<TSource> open, in ScanProgress progress, bool withValues)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        var pass = new ElementScanPass<TSource>(context, open, progress, withValues);
        if (TryBegin(context, pass, context.Key))
        {
            pass.GoOn(context);
        }
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        if (!context.TryPeek(context.Key, out var record)
            || !ScanOptions.TryParse(context, ElementScan.FirstOption, isOfKeys: false, out var options))
        {
            return false; // The key has gone, and the command begins anew.
        }

        var source = _open(record, _nowMs);
        if (!ElementScan.TryGoOn(Reply, source, options, ref _progress, _withValues, EffortOfStep(context)))
        {
            return false;
        }

        ElementScan.WriteHeader(Reply, 0, _progress, _withValues);
        context.Reply.TakeFrom(Reply);
        return true;
    }
}
