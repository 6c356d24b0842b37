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
    private readonly ScannedKind _kind;
    private readonly long _nowMs;
    private ScanProgress _progress;

    private ElementScanPass(
        CommandContext context, OpenElements<TSource> open, in ScanProgress progress, ScannedKind kind)
        : base(context)
    {
        _open = open;
        _progress = progress;
        _kind = kind;
        _nowMs = context.NowMs;
    }

    /// <summary>Begins.</summary>
    /// <param name="context">The command.</param>
    /// <param name="open">Opens the collection.</param>
    /// <param name="progress">Where it begins.</param>
    /// <param name="kind">What its elements are.</param>
    public static void Begin(
        CommandContext context, OpenElements<TSource> open, in ScanProgress progress, ScannedKind kind)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        Begin(context, new ElementScanPass<TSource>(context, open, progress, kind), context.Key);
    }

    /// <summary>Whether a call may go on in steps.</summary>
    public static bool CanBegin(CommandContext context) => MayStop(context);

    /// <summary>Goes on with a call that takes longer than was to be seen.</summary>
    /// <param name="context">The command.</param>
    /// <param name="open">Opens the collection.</param>
    /// <param name="progress">How far it has come.</param>
    /// <param name="kind">What its elements are.</param>
    /// <param name="start">Where what it has answered begins in the reply.</param>
    public static void GoOn(
        CommandContext context, OpenElements<TSource> open, in ScanProgress progress, ScannedKind kind, int start)
    {
        var pass = IsElsewhere(context) ? null : new ElementScanPass<TSource>(context, open, progress, kind);
        if (pass == null || !TryBegin(context, pass, context.Key))
        {
            context.Reply.Rewind(start);
            return;
        }

        pass.Reply.Raw(context.Reply.WrittenSpan[start..]);
        context.Reply.Rewind(start);
        pass.GoOn(context);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        if (!context.TryPeek(context.Key, out var record)
            || !ScanOptions.TryParse(context, ElementScan.FirstOption, _kind, out var options))
        {
            return false; // The key has gone, and the command begins anew.
        }

        var source = _open(record, _nowMs);
        if (!ElementScan.TryGoOn(Reply, source, options, ref _progress, EffortOfStep(context)))
        {
            return false;
        }

        ElementScan.WriteHeader(Reply, 0, _progress, options.WithValues);
        context.Reply.TakeFrom(Reply);
        return true;
    }
}
