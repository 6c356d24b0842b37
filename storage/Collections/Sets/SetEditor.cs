using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections.Sets;

/// <summary>
/// Changes one key's set, and its form by the rules of Redis 7.2: integers as long as there are only such and few of
/// them, else entries as long as they are few and short, else large. A set never goes back to a smaller form. Used
/// under the shard's lease, while nothing else changes the key.
/// </summary>
public unsafe ref struct SetEditor
{
    private readonly CollectionStore _store;
    private readonly Key _key;
    private readonly SetLimits _limits;
    private readonly bool _wasMissing;
    private Record _record;

    /// <summary>Starts with the key's set as just looked up, or a null record when there is none.</summary>
    public SetEditor(CollectionStore store, scoped in Key key, scoped in Record record, scoped in SetLimits limits)
    {
        store.Changes.Before(key, record);
        _wasMissing = record.IsNull;
        _store = store;
        _key = key;
        _record = record;
        _limits = limits;
    }

    /// <summary>The set as it is now.</summary>
    public readonly SetReader Set => new(_record);

    /// <summary>Says how many members are about to be added, so that a set becomes large at once that would on the way.
    /// </summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Expect(int members)
    {
        if (!_record.IsNull && !_record.IsLarge
            && !(IsIntegers ? _limits.AllowIntegers(members) : members <= _limits.MaxMembers))
        {
            MakeLarge(members);
        }
    }

    /// <summary>Adds a member; makes the set if there is none.</summary>
    /// <param name="member">The member; it must not lie in this set.</param>
    /// <param name="expected">Members that are about to be added, this one included; no harm if they are fewer.</param>
    /// <returns>Whether it was new.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Add(scoped ReadOnlySpan<byte> member, int expected = 1)
    {
        if (_record.IsNull)
        {
            Create(member, expected);
            return true;
        }

        if (_record.IsLarge)
        {
            return Large.Add(_store.Collections.Heap, member);
        }

        if (!IsIntegers)
        {
            return AddEntry(member);
        }

        if (CanonicalInteger.TryParse(member, out var value))
        {
            return AddInteger(value);
        }

        MakeEntries(member.Length);
        return Add(member);
    }

    /// <summary>Takes a member out. The key stays, even without members, until <see cref="End"/>.</summary>
    /// <returns>Whether it was there.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Remove(scoped ReadOnlySpan<byte> member)
    {
        if (_record.IsLarge)
        {
            return Large.Remove(_store.Collections.Heap, member);
        }

        var packed = _record.Value;
        if (IsIntegers)
        {
            if (!CanonicalInteger.TryParse(member, out var value)
                || !PackedIntegers.Find(packed, value, out var position))
            {
                return false;
            }

            var width = PackedSet.WidthOf(packed);
            Cut(PackedSet.HeaderBytes + (position * width), width);
            return true;
        }

        var offset = PackedSet.Find(packed, member);
        if (offset < 0)
        {
            return false;
        }

        Cut(offset, PackedForm.SizeOf(member.Length));
        return true;
    }

    /// <summary>Takes all members out.</summary>
    public void Clear()
    {
        _store.Drop(_key, _record);
        _record = default;
    }

    /// <summary>Deletes a set that has lost its last member, and tells what was done, and if so that the key is new, or
    /// is gone.</summary>
    public void End(in Change change)
    {
        if (!_record.IsNull && Set.IsEmpty)
        {
            Clear();
        }

        _store.Changes.TellWhole(_key, _wasMissing, _record, change);
    }

    private readonly bool IsIntegers => PackedSet.WidthOf(_record.Value) != PackedSet.Entries;

    private readonly LargeSet Large => new(ShardCollections.RootOf(_record));

    private void Create(scoped ReadOnlySpan<byte> member, int expected)
    {
        var isInteger = CanonicalInteger.TryParse(member, out var value) && _limits.AllowIntegers(expected);
        var size = isInteger ? PackedIntegers.WidthOf(value) : PackedForm.SizeOf(member.Length);
        var bytes = PackedSet.HeaderBytes + size;
        var room = PackedSet.HeaderBytes + ((long)expected * size);
        if (!isInteger && !_limits.AllowMembers(expected, member.Length, room))
        {
            CreateLarge(member, expected);
            return;
        }

        _record = _store.Write(_key, default, new RecordSpec(_key, RecordType.Set, expiryMs: -1), bytes, room);
        var packed = _record.MutableValue;
        PackedSet.WriteHeader(packed, count: 1, isInteger ? size : PackedSet.Entries);
        if (isInteger)
        {
            PackedIntegers.Set(packed, size, 0, value);
        }
        else
        {
            _ = PackedForm.Write(packed[PackedSet.HeaderBytes..], member);
        }
    }

    private void CreateLarge(scoped ReadOnlySpan<byte> member, int expected)
    {
        using var made = new DetachedSet(_store, expected);
        _ = made.Add(member);
        _record = made.WriteLarge(_key, default, expiryMs: -1);
    }

    private bool AddInteger(long value)
    {
        var packed = _record.Value;
        var count = PackedForm.CountOf(packed);
        var width = PackedSet.WidthOf(packed);
        var needed = PackedIntegers.WidthOf(value);
        if (needed > width)
        {
            _record = _store.Collections.Splice(
                _key, _record, PackedSet.HeaderBytes, removed: 0, (count * (needed - width)) + needed);
            PackedIntegers.Widen(_record.MutableValue, needed, value < 0 ? 1 : 0);
            PackedIntegers.Set(_record.MutableValue, needed, value < 0 ? 0 : count, value);
        }
        else
        {
            if (PackedIntegers.Find(packed, value, out var position))
            {
                return false;
            }

            _record = _store.Collections.Splice(
                _key, _record, PackedSet.HeaderBytes + (position * width), removed: 0, width);
            PackedIntegers.Set(_record.MutableValue, width, position, value);
        }

        PackedForm.SetCount(_record.MutableValue, count + 1);
        if (!_limits.AllowIntegers(count + 1))
        {
            MakeLarge();
        }

        return true;
    }

    private bool AddEntry(scoped ReadOnlySpan<byte> member)
    {
        var packed = _record.Value;
        if (PackedSet.Find(packed, member) >= 0)
        {
            return false;
        }

        var count = PackedForm.CountOf(packed);
        var size = PackedForm.SizeOf(member.Length);
        if (!_limits.AllowMembers(count + 1, member.Length, (long)packed.Length + size))
        {
            MakeLarge();
            return Large.Add(_store.Collections.Heap, member);
        }

        var end = packed.Length;
        _record = _store.Collections.Splice(_key, _record, end, removed: 0, size);
        _ = PackedForm.Write(_record.MutableValue[end..], member);
        PackedForm.SetCount(_record.MutableValue, count + 1);
        return true;
    }

    private void Cut(int offset, int bytes)
    {
        var count = PackedForm.CountOf(_record.Value);
        _record = _store.Collections.Splice(_key, _record, offset, bytes, inserted: 0);
        PackedForm.SetCount(_record.MutableValue, count - 1);
    }

    /// <summary>A member that is no integer comes to a set of integers.</summary>
    private void MakeEntries(int memberBytes)
    {
        var set = Set;
        var longest = (long)memberBytes;
        var bytes = (long)PackedSet.HeaderBytes;
        foreach (var member in set)
        {
            longest = Math.Max(longest, member.Length);
            bytes += PackedForm.SizeOf(member.Length);
        }

        if (!_limits.AllowMembers(set.Count + 1, longest, bytes + PackedForm.SizeOf(memberBytes)))
        {
            MakeLarge();
            return;
        }

        // A new record: the old one is read while it is filled.
        var spec = new RecordSpec(_key, RecordType.Set, _record.ExpiryMs);
        var room = bytes + PackedForm.SizeOf(memberBytes);
        _record = _store.Write(_key, _record, spec, (int)bytes, room);
        var packed = _record.MutableValue;
        PackedSet.WriteHeader(packed, (int)set.Count, PackedSet.Entries);
        var offset = PackedSet.HeaderBytes;
        foreach (var member in set)
        {
            offset += PackedForm.Write(packed[offset..], member);
        }
    }

    private void MakeLarge(int expected = 0)
    {
        using var made = new DetachedSet(_store, Math.Max(expected, Set.Count));
        foreach (var member in Set)
        {
            _ = made.Add(member);
        }

        _record = made.WriteLarge(_key, _record, _record.ExpiryMs);
    }
}
