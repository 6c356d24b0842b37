using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>
/// Changes a hash in either form as it is at a time. A hash comes into being with its first field and goes with its
/// last one; fields that have expired and are not taken out yet keep it, but are not found.
/// </summary>
public unsafe ref struct HashEditor
{
    private readonly CollectionStore _store;
    private readonly Key _key;
    private readonly long _nowMs;
    private readonly bool _wasMissing;
    private Record _record;
    private long _expectedLarge;

    /// <summary>Changes the hash of a key.</summary>
    /// <param name="store">The key's shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record as a look-up of a collection gave it, or a null one.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public HashEditor(CollectionStore store, scoped in Key key, scoped in Record record, long nowMs)
    {
        store.Changes.Before(key, record);
        _wasMissing = record.IsNull;
        _store = store;
        _key = key;
        _nowMs = nowMs;
        _record = record;
    }

    /// <summary>Whether there is no such key, or no more.</summary>
    public readonly bool IsMissing => _record.IsNull;

    private readonly HashRoot* Root => (HashRoot*)ShardCollections.RootOf(_record);

    private readonly SlabHeap Heap => _store.Collections.Heap;

    /// <summary>Reads the hash as it is now; an empty one where there is none.</summary>
    public readonly HashReader Read() => _record.IsNull ? default : new HashReader(_record, _nowMs);

    /// <summary>Makes ready for fields to be set: makes room for a missing hash all at once, and a hash large that
    /// cannot stay packed. One that is missing and will be large is made with its first field: none is without.
    /// </summary>
    /// <param name="fields">Fields to be set.</param>
    /// <param name="bytes">What they take, packed.</param>
    /// <param name="fitPacked">Whether each may be in a packed hash.</param>
    /// <param name="limits">Up to where a hash is packed.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Expect(long fields, long bytes, bool fitPacked, in HashLimits limits)
    {
        var staysPacked = fitPacked && fields <= limits.MaxEntries;
        if (!_record.IsNull)
        {
            if (!staysPacked && !_record.IsLarge)
            {
                _record = _store.Collections.Thaw(_key, _record);
            }
            else if (!staysPacked)
            {
                Root->FitsPacked = false;
            }
        }
        else if (staysPacked)
        {
            CreatePacked(bytes);
        }
        else
        {
            _expectedLarge = fields;
        }
    }

    /// <summary>Gives a field a value.</summary>
    /// <param name="field">The field.</param>
    /// <param name="value">Its value.</param>
    /// <param name="limits">Up to where a hash is packed.</param>
    /// <param name="keepsExpiry">Whether a field that expires goes on to.</param>
    /// <returns>Whether the field is new.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Set(
        scoped ReadOnlySpan<byte> field,
        scoped ReadOnlySpan<byte> value,
        in HashLimits limits,
        bool keepsExpiry = false)
    {
        if (_expectedLarge == 0 && (_record.IsNull || !_record.IsLarge))
        {
            var bytes = (long)PackedForm.SizeOf(field.Length) + PackedForm.SizeOf(value.Length);
            Expect(1, bytes, limits.Allow(field, value), limits);
        }

        if (_expectedLarge > 0)
        {
            CreateLarge(field, value);
            return true;
        }

        if (_record.IsLarge)
        {
            var isAdded = Root->Set(Heap, field, value, keepsExpiry, _nowMs);
            Root->FitsPacked &= limits.Allow(field, value) && Root->Table.Count <= limits.MaxEntries;
            _store.Collections.Fields.Update(Root);
            return isAdded;
        }

        var isNew = SetPacked(field, value);
        if (isNew && PackedForm.CountOf(_record.Value) > limits.MaxEntries)
        {
            _record = _store.Collections.Thaw(_key, _record);
        }

        return isNew;
    }

    /// <summary>Takes a field out.</summary>
    /// <returns>Whether it was there.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Remove(scoped ReadOnlySpan<byte> field)
    {
        if (_record.IsNull)
        {
            return false;
        }

        return _record.IsLarge ? RemoveLarge(field) : RemovePacked(field);
    }

    /// <summary>Lets a field that is there expire; -1 for never again. A packed hash becomes a large one.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void SetExpiry(scoped ReadOnlySpan<byte> field, long expiryMs)
    {
        if (!_record.IsLarge)
        {
            _record = _store.Collections.Thaw(_key, _record);
            Root->FitsPacked = true;
        }

        var block = Root->Find(field);
        Invariant.Check(block != null, "the field is in the hash");
        if (expiryMs >= 0)
        {
            _store.Collections.Fields.Expect(Root, expiryMs);
        }

        try
        {
            Root->SetExpiry(Heap, block, expiryMs);
        }
        finally
        {
            _store.Collections.Fields.Update(Root); // Also where the field keeps its time: another was expected.
        }
    }

    /// <summary>Tells what was done; there is more to be told of it.</summary>
    public readonly void Tell(in Change change) => _store.Changes.Tell(_key, _record, change);

    /// <summary>Tells what was done, and if so that the key is new, or is gone.</summary>
    public readonly void End(in Change change) => _store.Changes.TellWhole(_key, _wasMissing, _record, change);

    private void CreatePacked(long bytes)
    {
        var spec = new RecordSpec(_key, RecordType.Hash, expiryMs: -1);
        var capacity = Math.Min(PackedForm.HeaderBytes + bytes, Limits.MaxValueBytes);
        _record = _store.Write(_key, _record, spec, PackedForm.HeaderBytes, capacity);
        PackedForm.SetCount(_record.MutableValue, 0);
    }

    private void CreateLarge(scoped ReadOnlySpan<byte> field, scoped ReadOnlySpan<byte> value)
    {
        var root = HashRoot.Create(Heap, _expectedLarge);
        try
        {
            _ = root->Set(Heap, field, value, keepsExpiry: false, _nowMs);
            _record = _store.Collections.WriteLarge(_key, _record, RecordType.Hash, expiryMs: -1, (byte*)root);
            _expectedLarge = 0;
        }
        catch (MemoryExhaustedException)
        {
            _store.Collections.Doom(RecordType.Hash, (byte*)root);
            throw;
        }
    }

    private bool SetPacked(scoped ReadOnlySpan<byte> field, scoped ReadOnlySpan<byte> value)
    {
        var packed = _record.Value;
        var valueBytes = PackedForm.SizeOf(value.Length);
        if (PackedHash.TryFind(packed, field, out var offset, out var valueOffset))
        {
            var end = valueOffset;
            PackedForm.Skip(packed, ref end);
            _record = _store.Collections.Splice(_key, _record, valueOffset, end - valueOffset, valueBytes);
            _ = PackedForm.Write(_record.MutableValue[valueOffset..], value);
            return false;
        }

        var count = PackedForm.CountOf(packed);
        var fieldBytes = PackedForm.SizeOf(field.Length);
        _record = _store.Collections.Splice(_key, _record, offset, 0, fieldBytes + valueBytes);
        var target = _record.MutableValue;
        _ = PackedForm.Write(target[offset..], field);
        _ = PackedForm.Write(target[(offset + fieldBytes)..], value);
        PackedForm.SetCount(target, count + 1);
        return true;
    }

    private bool RemoveLarge(scoped ReadOnlySpan<byte> field)
    {
        if (!Root->Remove(Heap, field, _nowMs))
        {
            return false;
        }

        if (Root->Table.Count == 0)
        {
            RemoveKey();
        }
        else
        {
            _store.Collections.Fields.Update(Root);
        }

        return true;
    }

    private bool RemovePacked(scoped ReadOnlySpan<byte> field)
    {
        var packed = _record.Value;
        if (!PackedHash.TryFind(packed, field, out var offset, out var end))
        {
            return false;
        }

        var count = PackedForm.CountOf(packed);
        if (count == 1)
        {
            RemoveKey();
            return true;
        }

        PackedForm.Skip(packed, ref end);
        _record = _store.Collections.Splice(_key, _record, offset, end - offset, 0);
        PackedForm.SetCount(_record.MutableValue, count - 1);
        return true;
    }

    private void RemoveKey()
    {
        _store.Drop(_key, _record);
        _record = default;
    }
}
