using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>Gathers the result of a command as a sorted set of its own, by member first: the order is made at the end.
/// Its memory is a shard's, whose lease must be held.</summary>
public unsafe struct SortedSetBuilder : IScoredElements, IDisposable
{
    private readonly CollectionStore _store;
    private readonly ResultRoom _room;
    private readonly long _clears;
    private SortedSetRoot* _root;
    private int _longest;
    private byte* _found;
    private ulong _hash;

    /// <summary>An empty result.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public SortedSetBuilder(CollectionStore store)
    {
        _store = store;
        _room = store.Collections.Results;
        _room.Begin();
        _clears = store.Collections.Clears;
        _root = SortedSetRoot.Create(Heap, expected: 1);
    }

    /// <summary>Members so far.</summary>
    public readonly long Count => _root->Table.Count;

    private readonly SlabHeap Heap => _store.Collections.Heap;

    /// <inheritdoc/>
    public bool TryFind(scoped ReadOnlySpan<byte> member, out double score)
    {
        _hash = KeyHash.Compute(member);
        _found = _root->Find(_hash, member);
        score = _found == null ? 0 : ScoredElement.ScoreOf(_found);
        return _found != null;
    }

    /// <inheritdoc/>
    public readonly void SetScore(double score) => ScoredElement.SetScore(_found, score);

    /// <inheritdoc/>
    public void Insert(scoped ReadOnlySpan<byte> member, double score)
    {
        _room.Ask(member.Length);
        _ = _root->AddToTable(Heap, _hash, member, score);
        _longest = Math.Max(_longest, member.Length);
    }

    /// <summary>Adds a member that is not there.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Add(scoped ReadOnlySpan<byte> member, double score)
    {
        _hash = KeyHash.Compute(member);
        Insert(member, score);
    }

    /// <summary>Adds a member that is not there and comes after all others, which were added so, too: the result is
    /// finished all the time.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Append(scoped ReadOnlySpan<byte> member, double score)
    {
        _room.Ask(member.Length);
        _root->Append(Heap, member, score);
        _longest = Math.Max(_longest, member.Length);
    }

    /// <summary>The finished result, to be read before this is disposed or put under a key.</summary>
    public readonly SortedSetReader Reader => new(_root);

    /// <summary>Brings what was gathered into order.</summary>
    /// <returns>The result, to be read before this is disposed or put under a key.</returns>
    /// <exception cref="MemoryExhaustedException">There is no result.</exception>
    public readonly SortedSetReader Finish()
    {
        var walk = Walk();
        _ = TryFinish(ref walk, int.MaxValue);
        return Reader;
    }

    /// <summary>What was gathered, before it is brought into order.</summary>
    public readonly ElementWalk Walk() => ElementTable.Walk(&_root->Table);

    /// <summary>Goes on to bring it into order.</summary>
    /// <param name="walk">What is left.</param>
    /// <param name="elements">How many are.</param>
    /// <returns>Whether all are.</returns>
    /// <exception cref="MemoryExhaustedException">There is no result.</exception>
    public readonly bool TryFinish(ref ElementWalk walk, int elements)
    {
        for (; elements > 0; elements--)
        {
            if (!walk.TryNext(out var block))
            {
                return true;
            }

            _room.Ask(bytes: 0); // Of the order.
            _root->Tree.Insert(Heap, block);
        }

        return false;
    }

    /// <summary>Makes the finished result, which is not empty, a key's value.</summary>
    /// <param name="key">A key of the shard.</param>
    /// <param name="existing">Its record as just looked up.</param>
    /// <param name="limits">Up to where it is packed.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">The key was not changed.</exception>
    public void Put(in Key key, in Record existing, SortedSetLimits limits, in Change change)
    {
        _store.Changes.Before(key, existing);
        _store.Changes.TellWhole(key, existing.IsNull, Write(key, existing, limits, expiryMs: -1), change);
    }

    /// <summary>Makes the finished result, which is not empty, what a key's set is from here on, as if its members had
    /// been added to that: a large one stays large, and the key keeps its time to live.</summary>
    /// <inheritdoc cref="Put"/>
    public void Replace(in Key key, in Record existing, SortedSetLimits limits, in Change change)
    {
        if (!existing.IsNull && existing.IsLarge)
        {
            Exchange(key, existing, change);
            return;
        }

        _store.Changes.Before(key, existing);
        var record = Write(key, existing, limits, existing.IsNull ? -1 : existing.ExpiryMs);
        _store.Changes.TellWhole(key, existing.IsNull, record, change);
    }

    /// <summary>Makes the finished result, in the large form, what a key's set is from here on. The key keeps its time
    /// to live, and goes where there are no members.</summary>
    /// <param name="key">A key of the shard.</param>
    /// <param name="existing">Its set's record as just looked up, or a null one.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">The key was not changed.</exception>
    public void Exchange(in Key key, in Record existing, in Change change)
    {
        var record = default(Record);
        var wasMissing = existing.IsNull;
        _store.Changes.Before(key, existing);
        if (Count == 0)
        {
            _store.Drop(key, existing);
        }
        else
        {
            record = _store.Collections.WriteLarge(
                key, existing, RecordType.SortedSet, wasMissing ? -1 : existing.ExpiryMs, (byte*)_root);
            _root = null;
        }

        _store.Changes.TellWhole(key, wasMissing, record, change);
    }

    private Record Write(in Key key, in Record existing, SortedSetLimits limits, long expiryMs)
    {
        var bytes = SortedSetForm.Instance.PackedBytesOf((byte*)_root);
        if (Count > limits.Elements || _longest > limits.MemberBytes || bytes > Limits.MaxValueBytes)
        {
            var large = _store.Collections.WriteLarge(key, existing, RecordType.SortedSet, expiryMs, (byte*)_root);
            _root = null;
            return large;
        }

        var spec = new RecordSpec(key, RecordType.SortedSet, expiryMs);
        var record = _store.Write(key, existing, spec, (int)bytes);
        SortedSetForm.Instance.Pack((byte*)_root, record.MutableValue);
        PackedSortedSet.NormalizeScores(record.KeyPointer + record.KeyLength);
        return record;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_root == null || _clears != _store.Collections.Clears)
        {
            return; // Put under a key, or gone with all that the shard had.
        }

        if (Count > Limits.ElementsFreedPerCommand)
        {
            _ = _store.Collections.Doom(RecordType.SortedSet, (byte*)_root); // It is freed by and by.
        }
        else
        {
            SortedSetForm.Instance.Free(Heap, (byte*)_root);
        }

        _root = null;
    }
}
