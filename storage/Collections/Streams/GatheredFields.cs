namespace Strata.Storage.Collections.Streams;

/// <summary>Texts that were gathered one behind the other, as the names and values of an entry in turn, or as its
/// values alone, or as names alone.</summary>
/// <param name="texts">The texts, each as an entry of <see cref="PackedForm"/>.</param>
/// <param name="offsets">Where each begins.</param>
/// <param name="areTurns">Whether names and values stand in turn.</param>
internal readonly unsafe ref struct GatheredFields(byte* texts, ReadOnlySpan<int> offsets, bool areTurns)
    : IStreamFields
{
    private readonly byte* _texts = texts;
    private readonly ReadOnlySpan<int> _offsets = offsets;
    private readonly bool _areTurns = areTurns;

    /// <inheritdoc/>
    public int Count => _areTurns ? _offsets.Length / 2 : _offsets.Length;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> NameAt(int index) => TextAt(_areTurns ? 2 * index : index);

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ValueAt(int index) => TextAt(_areTurns ? (2 * index) + 1 : index);

    private ReadOnlySpan<byte> TextAt(int index)
    {
        var length = PackedForm.LengthAt(_texts + _offsets[index], out var prefix);
        return new ReadOnlySpan<byte>(_texts + _offsets[index] + prefix, length);
    }
}
