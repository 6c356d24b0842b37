namespace Strata.Server.Commands.Sorting;

/// <summary>
/// A pattern of BY or GET, which is read once: a key's name with a star for the element, and perhaps, behind an arrow,
/// a hash's field; "#" is the element itself. As in Redis, star and arrow are not looked for behind a zero byte.
/// </summary>
internal readonly struct SortPattern
{
    private readonly int _star;
    private readonly int _nameEnd;

    /// <summary>Reads a pattern.</summary>
    /// <param name="index">The argument that it is; 0 for the element itself.</param>
    /// <param name="pattern">Its bytes.</param>
    public SortPattern(int index, ReadOnlySpan<byte> pattern)
    {
        Index = index;
        IsElement = index == 0 || pattern.SequenceEqual("#"u8);
        var text = TextOf(pattern);
        _star = text.IndexOf((byte)'*');
        var arrow = _star < 0 ? -1 : text[(_star + 1)..].IndexOf("->"u8);
        var arrowAt = _star + 1 + arrow;
        HasField = arrow >= 0 && arrowAt + 2 < text.Length;
        _nameEnd = HasField ? arrowAt : pattern.Length;
    }

    /// <summary>The argument that it is.</summary>
    public int Index { get; }

    /// <summary>Whether it stands for the element itself.</summary>
    public bool IsElement { get; }

    /// <summary>Whether it has a place for the element: otherwise it names no key.</summary>
    public bool NamesKeys => _star >= 0;

    /// <summary>Whether a field of a hash is meant.</summary>
    public bool HasField { get; }

    /// <summary>Bytes of a key's name beside the element.</summary>
    public int NameBytes => _nameEnd - 1;

    /// <summary>Of the pattern's bytes, what stands before the element.</summary>
    public ReadOnlySpan<byte> PrefixOf(ReadOnlySpan<byte> pattern) => _star < 0 ? default : pattern[.._star];

    /// <summary>What stands behind it.</summary>
    public ReadOnlySpan<byte> SuffixOf(ReadOnlySpan<byte> pattern)
        => _star < 0 ? default : pattern[(_star + 1).._nameEnd];

    /// <summary>The field.</summary>
    public ReadOnlySpan<byte> FieldOf(ReadOnlySpan<byte> pattern) => HasField ? pattern[(_nameEnd + 2)..] : default;

    /// <summary>Whether a pattern has a place for the element.</summary>
    public static bool HasStar(ReadOnlySpan<byte> pattern) => TextOf(pattern).Contains((byte)'*');

    private static ReadOnlySpan<byte> TextOf(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf((byte)0);
        return end < 0 ? bytes : bytes[..end];
    }
}
