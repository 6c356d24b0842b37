using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>BITCOUNT and BITPOS of a long range, in steps.</summary>
internal sealed class BitRangePass : StringPass
{
    private readonly IBitScan _scan;
    private readonly BitRange _range;
    private long _next;

    private BitRangePass(CommandContext context, IBitScan scan, BitRange range)
        : base(context)
    {
        _scan = scan;
        _range = range;
        _next = range.First;
    }

    /// <summary>Looks at a range of the command's key, and answers.</summary>
    /// <param name="context">The command.</param>
    /// <param name="record">The key's string.</param>
    /// <param name="range">The range.</param>
    /// <param name="scan">What is looked for.</param>
    public static void Execute<T>(CommandContext context, in Record record, BitRange range, T scan)
        where T : struct, IBitScan
    {
        if (!AreMany(context, (range.Last - range.First) / 8) || !StaysAtHand(context, context.Key, record))
        {
            _ = scan.Passes(record.Value, range);
            context.Reply.Integer(scan.Result);
        }
        else if (!WantsLease(context) && !IsElsewhere(context))
        {
            Begin(context, new BitRangePass(context, scan, range), context.Key);
        }
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        if (!TryOpen(context, context.Key, out var record))
        {
            return false;
        }

        var last = Math.Min(_range.Last, (_next | 7) + (8L * BytesOfStep(context)));
        if (_scan.Passes(record.Value, new BitRange(_next, last)) && last < _range.Last)
        {
            _next = last + 1;
            return false;
        }

        context.Reply.Integer(_scan.Result);
        return true;
    }
}
