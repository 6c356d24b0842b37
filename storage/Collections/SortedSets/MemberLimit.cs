using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>One end of a <see cref="MemberRange"/>.</summary>
public readonly ref struct MemberLimit
{
    private readonly ReadOnlySpan<byte> _member;
    private readonly int _infinity;

    private MemberLimit(ReadOnlySpan<byte> member, bool isExcluded, int infinity)
    {
        _member = member;
        _infinity = infinity;
        IsExcluded = isExcluded;
    }

    /// <summary>Below every member.</summary>
    public static MemberLimit Lowest => new(default, isExcluded: true, -1);

    /// <summary>Above every member.</summary>
    public static MemberLimit Highest => new(default, isExcluded: true, 1);

    /// <summary>Whether the limit itself lies outside of the range.</summary>
    public bool IsExcluded { get; }

    /// <summary>A member.</summary>
    public static MemberLimit At(ReadOnlySpan<byte> member, bool isExcluded) => new(member, isExcluded, 0);

    /// <summary>How this limit lies to another: negative for below.</summary>
    public int CompareTo(MemberLimit other)
        => _infinity != other._infinity ? _infinity - other._infinity
            : _infinity != 0 ? 0
            : _member.SequenceCompareTo(other._member);

    /// <summary>How this limit lies to a member: negative for below.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int CompareTo(ReadOnlySpan<byte> member)
        => _infinity != 0 ? _infinity : _member.SequenceCompareTo(member);
}
