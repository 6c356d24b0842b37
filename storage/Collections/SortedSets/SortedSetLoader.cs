using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>Makes a sorted set of members that come one by one, in whatever order.</summary>
public sealed unsafe class SortedSetLoader : CollectionLoader
{
    private SortedSetLimits _limits;
    private int _longest;
    private int _lastOffset;

    /// <inheritdoc cref="CollectionLoader(RecordType, MemoryBudget)"/>
    public SortedSetLoader(MemoryBudget budget)
        : base(RecordType.SortedSet, budget)
    {
    }

    /// <summary>Begins with an empty set for a shard.</summary>
    public void Begin(CollectionStore store, SortedSetLimits limits)
    {
        Begin(store);
        _limits = limits;
        _longest = 0;
    }

    /// <summary>Adds a member.</summary>
    /// <param name="member">The member.</param>
    /// <param name="score">Its score, which is a number or an infinity.</param>
    /// <returns>False when it was there.</returns>
    /// <exception cref="MemoryExhaustedException">The set is to be abandoned.</exception>
    public bool Add(ReadOnlySpan<byte> member, double score)
    {
        var bytes = ScoredElement.BytesOf(member.Length);
        Ask(bytes);
        _longest = Math.Max(_longest, member.Length);
        if (Root == null)
        {
            if (PackedCount < _limits.Elements && _longest <= _limits.MemberBytes && HasRoom(bytes)
                && IsNextPacked(member, score))
            {
                return AddPacked(member, score, bytes);
            }

            MakeLarge();
        }

        var hash = KeyHash.Compute(member);
        var root = (SortedSetRoot*)Root;
        if (root->Find(hash, member) != null)
        {
            return false;
        }

        root->Insert(Heap, hash, member, score);
        return true;
    }

    /// <inheritdoc/>
    private protected override bool FitsPacked(long packedBytes)
        => Count <= _limits.Elements && _longest <= _limits.MemberBytes && packedBytes <= Limits.MaxValueBytes;

    /// <inheritdoc/>
    private protected override void OnPacked(in Record record)
        => PackedSortedSet.NormalizeScores(record.KeyPointer + record.KeyLength);

    /// <summary>Whether a member comes after all those in the packed set.</summary>
    private bool IsNextPacked(ReadOnlySpan<byte> member, double score)
        => PackedCount == 0
            || new ElementBound(score, member, isBehind: false).IsAbove(
                ScoredElement.ScoreOf(PackedStart + _lastOffset), PackedStart + _lastOffset);

    private bool AddPacked(ReadOnlySpan<byte> member, double score, int bytes)
    {
        PackedForm.SetCount(Packed, PackedCount);
        if (PackedSortedSet.Find(PackedStart, member, out _) != null)
        {
            return false;
        }

        _lastOffset = PackedBytes;
        fixed (byte* target = Extend(bytes))
        {
            ScoredElement.Write(target, member, score);
        }

        PackedCount++;
        return true;
    }
}
