using Strata.Server.Commands.Collections;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Sets;

/// <summary>A set for the commands that treat all collections of elements alike.</summary>
internal readonly unsafe ref struct SetSource : IElementSource
{
    /// <summary>Opens a set in each step of a command.</summary>
    public static readonly OpenElements<SetSource> Open = static (in record, _)
        => new(new(record), new SetReader(record).IsIntegers ? new byte[CanonicalInteger.MaxBytes] : default);

    private readonly SetReader _set;
    private readonly Span<byte> _digits;

    /// <param name="set">The set.</param>
    /// <param name="digits">Where integers are written, <see cref="CanonicalInteger.MaxBytes"/>.</param>
    public SetSource(scoped in SetReader set, Span<byte> digits)
    {
        _set = set;
        _digits = digits;
    }

    /// <inheritdoc/>
    public long Count => _set.Count;

    /// <inheritdoc/>
    public long LargeBytes => _set.LargeBytes;

    /// <inheritdoc/>
    public ElementTable* Table => _set.Table;

    /// <inheritdoc/>
    public bool TryNext(ref int position, out nint element) => _set.TryNext(ref position, out element);

    /// <inheritdoc/>
    public bool IsLive(nint element) => true;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> NameOf(nint element) => _set.MemberAt(element, _digits);

    /// <inheritdoc/>
    public void WriteName(ReplyWriter reply, nint element) => reply.Bulk(NameOf(element));

    /// <inheritdoc/>
    public void WriteValue(ReplyWriter reply, nint element)
        => throw new InvalidOperationException("members of a set have no values");
}
