using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>A sorted set to be read, packed or large. It is valid until the key or its set changes.</summary>
public readonly unsafe struct SortedSetReader
{
    private readonly byte* _packed;
    private readonly int _packedBytes;
    private readonly SortedSetRoot* _root;

    /// <summary>The set of a record.</summary>
    public SortedSetReader(in Record record)
    {
        if (record.IsLarge)
        {
            _root = (SortedSetRoot*)ShardCollections.RootOf(record);
        }
        else
        {
            _packed = record.KeyPointer + record.KeyLength;
            _packedBytes = record.ValueLength;
        }
    }

    internal SortedSetReader(SortedSetRoot* root)
    {
        _root = root;
    }

    /// <summary>Whether the set is large, and neither packed nor that of no record.</summary>
    public bool IsLarge => _root != null;

    /// <summary>Bytes of a large set; 0 of others.</summary>
    public long LargeBytes => _root != null ? _root->WeightBytes : 0;

    /// <summary>Elements.</summary>
    public long Count => _root != null ? _root->Tree.Count : PackedSortedSet.CountOf(_packed);

    /// <summary>All elements.</summary>
    public RankRange All => new(0, Count);

    /// <summary>Finds the score of a member.</summary>
    public bool TryGetScore(ReadOnlySpan<byte> member, out double score)
    {
        var element = _root != null
            ? _root->Find(KeyHash.Compute(member), member)
            : PackedSortedSet.Find(_packed, member, out _);
        score = element == null ? 0 : ScoredElement.ScoreOf(element);
        return element != null;
    }

    /// <summary>Finds the rank of a member, from the lowest score, and its score.</summary>
    public bool TryGetRank(ReadOnlySpan<byte> member, out long rank, out double score)
    {
        byte* element;
        if (_root == null)
        {
            element = PackedSortedSet.Find(_packed, member, out var place);
            rank = place;
        }
        else
        {
            element = _root->Find(KeyHash.Compute(member), member);
            rank = 0;
            if (element != null)
            {
                _root->Tree.FindElement(element, out var path);
                rank = path.Rank;
            }
        }

        score = element == null ? 0 : ScoredElement.ScoreOf(element);
        return element != null;
    }

    /// <summary>The elements from one index to another, the last included; negative ones count from the end.</summary>
    public RankRange ByIndex(long start, long stop)
    {
        var count = Count;
        var first = start < 0 ? Math.Max(0, start + count) : start;
        var last = stop < 0 ? stop + count : Math.Min(stop, count - 1);
        return RankRange.Between(first, last + 1);
    }

    /// <summary>The elements whose scores are in a range.</summary>
    public RankRange ByScore(ScoreRange range)
    {
        var start = new ScoreBound(range.Min, range.ExcludesMin);
        var end = new ScoreBound(range.Max, !range.ExcludesMax);
        if (_root != null)
        {
            return RankRange.Between(_root->Tree.RankOf(start), _root->Tree.RankOf(end));
        }

        _ = PackedSortedSet.Find(_packed, start, out var first);
        _ = PackedSortedSet.Find(_packed, end, out var afterLast);
        return RankRange.Between(first, afterLast);
    }

    /// <summary>The elements whose members are in a range. Where elements have several scores it has no sense; what is
    /// given then, of packed sets, is what Redis gives.</summary>
    /// <param name="range">The range.</param>
    /// <param name="isReverse">Whether they are wanted from the highest.</param>
    public RankRange ByMember(MemberRange range, bool isReverse)
    {
        if (range.IsEmpty)
        {
            return RankRange.Empty;
        }

        if (_root != null)
        {
            return RankRange.Between(_root->Tree.RankOf(range.Start), _root->Tree.RankOf(range.End));
        }

        return isReverse ? LastByMember(range) : FirstByMember(range);
    }

    /// <summary>Goes over the elements of a range.</summary>
    public SortedSetCursor Walk(RankRange range, bool isReverse = false)
        => _root != null
            ? new SortedSetCursor(ref _root->Tree, range, isReverse)
            : new SortedSetCursor(_packed, range, isReverse);

    /// <summary>Stands before the elements whose scores are <paramref name="first"/> or more, and less than <paramref
    /// name="end"/>.</summary>
    public ScoreCursor WalkScores(double first, double end)
        => _root != null ? new ScoreCursor(_root->Tree, first, end) : new ScoreCursor(_packed, first, end);

    /// <summary>The element with a rank.</summary>
    public SortedSetElement At(long rank)
    {
        if (_root == null)
        {
            return new SortedSetElement(PackedSortedSet.Skip(PackedSortedSet.First(_packed), rank));
        }

        _root->Tree.FindRank(rank, out var path);
        return new SortedSetElement(path.Leaf->BlockAt(path.Index));
    }

    /// <summary>The table of a large set; null of a packed one.</summary>
    public ElementTable* Table => _root == null ? null : &_root->Table;

    /// <summary>Goes on to the next element of a packed set.</summary>
    /// <param name="position">0 before the first one.</param>
    /// <param name="address">The element's address.</param>
    /// <returns>False at the end.</returns>
    public bool TryNextPacked(ref int position, out nint address)
    {
        position = Math.Max(position, PackedForm.HeaderBytes);
        address = (nint)_packed + position;
        if (position >= _packedBytes)
        {
            return false;
        }

        position += ScoredElement.BytesOf((byte*)address);
        return true;
    }

    private RankRange FirstByMember(MemberRange range)
    {
        var count = PackedSortedSet.CountOf(_packed);
        var element = PackedSortedSet.First(_packed);
        if (count == 0 || !range.End.IsAbove(element))
        {
            return RankRange.Empty;
        }

        element = PackedSortedSet.Find(_packed, range.Start, out var first);
        var end = first;
        for (; end < count && range.End.IsAbove(element); end++)
        {
            element += ScoredElement.BytesOf(element);
        }

        return RankRange.Between(first, end);
    }

    /// <summary>The highest element below the range's end and all before it down to the first that is below its start,
    /// in one pass.</summary>
    private RankRange LastByMember(MemberRange range)
    {
        var count = PackedSortedSet.CountOf(_packed);
        var element = PackedSortedSet.First(_packed);
        var result = RankRange.Empty;
        var first = 0;
        for (var rank = 0; rank < count; rank++)
        {
            if (range.Start.IsAbove(element))
            {
                first = rank + 1;
            }

            if (range.End.IsAbove(element))
            {
                result = RankRange.Between(first, rank + 1);
            }

            element += ScoredElement.BytesOf(element);
        }

        return result;
    }
}
