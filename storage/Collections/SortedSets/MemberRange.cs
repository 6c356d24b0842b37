namespace Strata.Storage.Collections.SortedSets;

/// <summary>A range of members, for sets whose elements all have one score.</summary>
/// <param name="min">Its lower end.</param>
/// <param name="max">Its upper end.</param>
public readonly ref struct MemberRange(MemberLimit min, MemberLimit max)
{
    private readonly MemberLimit _min = min;
    private readonly MemberLimit _max = max;

    /// <summary>Whether no member can be in it.</summary>
    public bool IsEmpty
    {
        get
        {
            var order = _min.CompareTo(_max);
            return order > 0 || (order == 0 && (_min.IsExcluded || _max.IsExcluded));
        }
    }

    internal MemberBound Start => new(_min, isBehind: _min.IsExcluded);

    internal MemberBound End => new(_max, isBehind: !_max.IsExcluded);
}
