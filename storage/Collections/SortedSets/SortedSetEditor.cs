using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>
/// Changes a key's sorted set, which may not be there yet, packed or large; what grows beyond the limits becomes large
/// and stays so. A set that has lost its last element stays as an empty one until <see cref="End"/>. Scores
/// are numbers or infinities. Used under the lease of the key's shard.
/// </summary>
public unsafe struct SortedSetEditor : IScoredElements
{
    private const int StackBytes = 512;

    private readonly CollectionStore _store;
    private readonly Key _key;
    private readonly SortedSetLimits _limits;
    private readonly bool _wasMissing;
    private Record _record;
    private byte* _found;
    private ulong _hash;
    private bool _isEmptied;

    /// <summary>Begins to change the set of a record, just looked up; a null record where there is none.</summary>
    public SortedSetEditor(CollectionStore store, in Key key, in Record record, SortedSetLimits limits)
    {
        store.Changes.Before(key, record);
        _wasMissing = record.IsNull;
        _store = store;
        _key = key;
        _record = record;
        _limits = limits;
    }

    /// <summary>The key's record by now; a null one as long as nothing was inserted.</summary>
    public readonly Record Record => _record;

    /// <summary>Elements.</summary>
    public readonly long Count => _record.IsNull || _isEmptied ? 0 : Reader.Count;

    /// <summary>The set as it is; not to be asked for where there is none.</summary>
    public readonly SortedSetReader Reader => new(_record);

    private readonly SlabHeap Heap => _store.Collections.Heap;

    private readonly byte* Packed => _record.KeyPointer + _record.KeyLength;

    private readonly SortedSetRoot* Root => (SortedSetRoot*)ShardCollections.RootOf(_record);

    /// <inheritdoc/>
    public bool TryFind(ReadOnlySpan<byte> member, out double score)
    {
        if (_record.IsNull)
        {
            _found = null;
        }
        else if (_record.IsLarge)
        {
            _hash = KeyHash.Compute(member);
            _found = Root->Find(_hash, member);
        }
        else
        {
            _found = PackedSortedSet.Find(Packed, member, out _);
        }

        score = _found == null ? 0 : ScoredElement.ScoreOf(_found);
        return _found != null;
    }

    /// <inheritdoc/>
    public void SetScore(double score)
    {
        if (_record.IsLarge)
        {
            Root->Tree.ChangeScore(Heap, _found, score);
        }
        else
        {
            SetPackedScore(score);
        }

        _found = null;
    }

    /// <inheritdoc/>
    public void Insert(ReadOnlySpan<byte> member, double score)
    {
        var staysPacked = Count < _limits.Elements && member.Length <= _limits.MemberBytes;
        if (_record.IsNull)
        {
            Create(member, score, staysPacked);
        }
        else if (_record.IsLarge)
        {
            Root->Insert(Heap, _hash, member, score);
        }
        else if (staysPacked)
        {
            InsertPacked(member, score);
        }
        else
        {
            _record = _store.Collections.Thaw(_key, _record);
            Root->Insert(Heap, KeyHash.Compute(member), member, score);
        }
    }

    /// <summary>Takes a member out.</summary>
    /// <returns>Whether it was there.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Remove(ReadOnlySpan<byte> member)
    {
        if (!TryFind(member, out _))
        {
            return false;
        }

        if (_record.IsLarge)
        {
            Root->Remove(Heap, _hash, _found);
        }
        else
        {
            RemovePacked(_found, ScoredElement.BytesOf(_found), count: 1);
        }

        _found = null;
        return true;
    }

    /// <summary>Takes neighbouring elements out; where these are all, only <see cref="End"/> may follow.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Remove(RankRange range)
    {
        if (_record.IsLarge && range.Count == Count)
        {
            _isEmptied = true; // It is dropped as it is, and freed by and by.
        }
        else if (_record.IsLarge)
        {
            for (var left = range.Count; left > 0; left--)
            {
                Root->Tree.FindRank(range.First, out var path);
                Root->RemoveAt(Heap, path);
            }
        }
        else if (range.Count > 0)
        {
            var first = PackedSortedSet.Skip(PackedSortedSet.First(Packed), range.First);
            var end = PackedSortedSet.Skip(first, range.Count);
            RemovePacked(first, (int)(end - first), (int)range.Count);
        }
    }

    /// <summary>Deletes a set that has lost its last element, and tells what was done, and if so that the key is new,
    /// or is gone.</summary>
    public void End(in Change change)
    {
        if (!_record.IsNull && Count == 0)
        {
            _store.Drop(_key, _record);
            _record = default;
        }

        _store.Changes.TellWhole(_key, _wasMissing, _record, change);
    }

    private void Create(ReadOnlySpan<byte> member, double score, bool isPacked)
    {
        if (isPacked)
        {
            var spec = new RecordSpec(_key, RecordType.SortedSet, expiryMs: -1);
            var bytes = PackedForm.HeaderBytes + ScoredElement.BytesOf(member.Length);
            _record = _store.Write(_key, _record, spec, bytes);
            PackedForm.SetCount(_record.MutableValue, 1);
            ScoredElement.Write(PackedSortedSet.First(Packed), member, PackedSortedSet.ScoreOf(score));
            return;
        }

        var root = SortedSetRoot.Create(Heap, expected: 1);
        try
        {
            root->Insert(Heap, KeyHash.Compute(member), member, score);
            _record = _store.Collections.WriteLarge(_key, _record, RecordType.SortedSet, expiryMs: -1, (byte*)root);
        }
        catch (MemoryExhaustedException)
        {
            SortedSetForm.Instance.Free(Heap, (byte*)root);
            throw;
        }
    }

    private void InsertPacked(ReadOnlySpan<byte> member, double score)
    {
        var bound = new ElementBound(score, member, isBehind: false);
        var offset = (int)(PackedSortedSet.Find(Packed, bound, out _) - Packed);
        _record = _store.Collections.Splice(_key, _record, offset, 0, ScoredElement.BytesOf(member.Length));
        ScoredElement.Write(Packed + offset, member, PackedSortedSet.ScoreOf(score));
        PackedForm.SetCount(_record.MutableValue, PackedSortedSet.CountOf(Packed) + 1);
    }

    private void RemovePacked(byte* first, int bytes, int count)
    {
        _record = _store.Collections.Splice(_key, _record, (int)(first - Packed), bytes, 0);
        PackedForm.SetCount(_record.MutableValue, PackedSortedSet.CountOf(Packed) - count);
    }

    private void SetPackedScore(double score)
    {
        var bytes = ScoredElement.BytesOf(_found);
        var bound = new ElementBound(score, ScoredElement.MemberOf(_found), isBehind: false);
        var from = (int)(_found - Packed);
        var to = (int)(PackedSortedSet.Find(Packed, bound, out _) - Packed);
        _record = _store.Collections.Splice(_key, _record, _record.ValueLength, 0, 0); // It may be written to now.
        ScoredElement.SetScore(Packed + from, PackedSortedSet.ScoreOf(score));
        if (to < from)
        {
            Rotate(_record.MutableValue[to..(from + bytes)], from - to);
        }
        else if (to > from + bytes)
        {
            Rotate(_record.MutableValue[from..to], bytes);
        }
    }

    /// <summary>Exchanges the first bytes of a span with those behind them; the shorter part goes by way of the stack.
    /// </summary>
    private static void Rotate(Span<byte> bytes, int first)
    {
        var last = bytes.Length - first;
        var shorter = Math.Min(first, last);
        Span<byte> stack = stackalloc byte[StackBytes];
        using var native = new NativeSpan(shorter > StackBytes ? shorter : 0);
        var kept = shorter > StackBytes ? native.Span : stack[..shorter];
        if (first <= last)
        {
            bytes[..first].CopyTo(kept);
            bytes[first..].CopyTo(bytes);
            kept.CopyTo(bytes[last..]);
        }
        else
        {
            bytes[first..].CopyTo(kept);
            bytes[..first].CopyTo(bytes[last..]);
            kept.CopyTo(bytes);
        }
    }
}
