namespace Strata.Server.Commands.Sorting;

/// <summary>An element to be sorted, and what it is sorted by.</summary>
internal unsafe struct SortItem
{
    /// <summary>The element's bytes, in memory that does not change while the command is executed.</summary>
    public byte* Element;

    /// <summary>The text to compare; null where there is none, which comes first.</summary>
    public byte* Text;

    public double Score;
    public int ElementLength;
    public int TextLength;

    /// <summary>The place before sorting, which decides between equals.</summary>
    public int Index;

    public readonly ReadOnlySpan<byte> ElementSpan => new(Element, ElementLength);

    public readonly ReadOnlySpan<byte> TextSpan => new(Text, TextLength);
}
