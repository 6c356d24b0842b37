namespace Strata.Server.Commands.Sorting;

/// <summary>
/// A pattern of BY or GET: a key's name with a star for the element, and perhaps, behind an arrow, a hash's field; "#"
/// is the element itself. As in Redis, star and arrow are not looked for behind a zero byte.
/// </summary>
internal readonly ref struct SortPattern
{
    private readonly int _star;

    /// <summary>Reads a pattern.</summary>
    public SortPattern(ReadOnlySpan<byte> pattern)
    {
        IsElement = pattern.SequenceEqual("#"u8);
        var text = TextOf(pattern);
        _star = text.IndexOf((byte)'*');
        var arrow = _star < 0 ? -1 : text[(_star + 1)..].IndexOf("->"u8);
        var arrowAt = _star + 1 + arrow;
        HasField = arrow >= 0 && arrowAt + 2 < text.Length;
        Field = HasField ? pattern[(arrowAt + 2)..] : default;
        Prefix = _star < 0 ? default : pattern[.._star];
        Suffix = _star < 0 ? default : pattern[(_star + 1)..(HasField ? arrowAt : pattern.Length)];
    }

    /// <summary>Whether it stands for the element itself.</summary>
    public bool IsElement { get; }

    /// <summary>Whether it has a place for the element: otherwise it names no key.</summary>
    public bool NamesKeys => _star >= 0;

    /// <summary>Whether a field of a hash is meant.</summary>
    public bool HasField { get; }

    public ReadOnlySpan<byte> Prefix { get; }

    public ReadOnlySpan<byte> Suffix { get; }

    public ReadOnlySpan<byte> Field { get; }

    /// <summary>Whether a pattern has a place for the element.</summary>
    public static bool HasStar(ReadOnlySpan<byte> pattern) => TextOf(pattern).Contains((byte)'*');

    private static ReadOnlySpan<byte> TextOf(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf((byte)0);
        return end < 0 ? bytes : bytes[..end];
    }
}
