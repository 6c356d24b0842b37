using System.Globalization;
using Strata.Server.Commands.Collections;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>A sorted set for the commands that treat all collections alike.</summary>
/// <param name="set">The set.</param>
/// <param name="isScan">Whether scores are answered as ZSCAN does.</param>
internal readonly unsafe struct SortedSetSource(SortedSetReader set, bool isScan) : IElementSource
{
    /// <summary>Opens a set in each step of ZSCAN.</summary>
    public static readonly OpenElements<SortedSetSource> OpenScan = static (in record, _)
        => new(new(record), isScan: true);

    /// <summary>Opens a set in each step of another command.</summary>
    public static readonly OpenElements<SortedSetSource> Open = static (in record, _)
        => new(new(record), isScan: false);

    private readonly SortedSetReader _set = set;
    private readonly bool _isScan = isScan;

    /// <inheritdoc/>
    public long Count => _set.Count;

    /// <inheritdoc/>
    public long LargeBytes => _set.LargeBytes;

    /// <inheritdoc/>
    public ElementTable* Table => _set.Table;

    /// <inheritdoc/>
    public bool TryNext(ref int position, out nint element) => _set.TryNextPacked(ref position, out element);

    /// <inheritdoc/>
    public bool IsLive(nint element) => true;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> NameOf(nint element) => new SortedSetElement(element).Member;

    /// <inheritdoc/>
    public void WriteName(ReplyWriter reply, nint element) => reply.Bulk(NameOf(element));

    /// <inheritdoc/>
    public void WriteValue(ReplyWriter reply, nint element)
    {
        var score = new SortedSetElement(element).Score;
        if (_isScan)
        {
            WriteText(reply, score);
        }
        else
        {
            reply.Double(score);
        }
    }

    /// <summary>ZSCAN gives scores as text in RESP3 too, and those of a large set with all their 17 digits.</summary>
    private void WriteText(ReplyWriter reply, double score)
    {
        Span<byte> text = stackalloc byte[DoubleFormat.MaxBytes];
        var length = 0;
        if (!_set.IsLarge || !double.IsFinite(score)
            || !score.TryFormat(text, out length, "g17", CultureInfo.InvariantCulture))
        {
            length = DoubleFormat.Format(score, text);
        }

        reply.Bulk(text[..length]);
    }
}
