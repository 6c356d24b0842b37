namespace Strata.Server.Commands.Sorting;

/// <summary>The order of elements: by text, or by score and then by their bytes.</summary>
/// <param name="IsAlpha">Whether texts are compared.</param>
/// <param name="IsDescending">Whether the order is turned round; equals keep theirs.</param>
internal readonly unsafe record struct SortComparer(bool IsAlpha, bool IsDescending) : IComparer<SortItem>
{
    /// <inheritdoc/>
    public int Compare(SortItem x, SortItem y)
    {
        var order = IsAlpha ? CompareTexts(x, y) : CompareScores(x, y);
        return order == 0 ? x.Index.CompareTo(y.Index)
            : IsDescending ? -Math.Sign(order)
            : order;
    }

    private static int CompareTexts(in SortItem x, in SortItem y)
        => x.Text != null && y.Text != null
            ? x.TextSpan.SequenceCompareTo(y.TextSpan)
            : (x.Text != null).CompareTo(y.Text != null);

    private static int CompareScores(in SortItem x, in SortItem y)
    {
        var order = x.Score.CompareTo(y.Score);
        return order != 0 ? order : x.ElementSpan.SequenceCompareTo(y.ElementSpan);
    }
}
