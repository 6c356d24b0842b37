using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>
/// A large hash that no key has yet, made in a shard's heap: what a key's hash is to be, made beside it. It asks for
/// memory as it grows. What is not put under a key is freed. Used under the shard's lease.
/// </summary>
public unsafe struct DetachedHash : IDisposable
{
    private readonly CollectionStore _store;
    private readonly ResultRoom _room;
    private readonly long _clears;
    private readonly long _nowMs;
    private HashRoot* _root;

    /// <summary>Starts with no fields.</summary>
    /// <param name="store">The shard of the key it is for.</param>
    /// <param name="nowMs">Milliseconds since 1970: what has expired stays, and is not found.</param>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public DetachedHash(CollectionStore store, long nowMs)
    {
        _store = store;
        _nowMs = nowMs;
        _room = store.Collections.Results;
        _room.Begin();
        _clears = store.Collections.Clears;
        _root = HashRoot.Create(store.Collections.Heap, expected: 0);
    }

    /// <summary>Adds a field that is not there.</summary>
    /// <param name="field">The field.</param>
    /// <param name="value">Its value.</param>
    /// <param name="expiryMs">When it expires, milliseconds since 1970; -1 for never.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public readonly void Add(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiryMs)
    {
        _room.Ask(field.Length + value.Length);
        _root->Add(_store.Collections.Heap, KeyHash.Compute(field), field, value, expiryMs);
    }

    /// <summary>Gives a field a value; it does not expire then.</summary>
    /// <returns>Whether the field is new.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public readonly bool Set(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        _room.Ask(field.Length + value.Length);
        return _root->Set(_store.Collections.Heap, field, value, keepsExpiry: false, _nowMs);
    }

    /// <summary>Looks for a field, to tell when it expires: milliseconds since 1970, -1 for never.</summary>
    public readonly bool TryGetExpiry(ReadOnlySpan<byte> field, out long expiryMs)
    {
        var block = _root->Find(field);
        var isThere = block != null && !HashField.IsExpired(block, _nowMs);
        expiryMs = isThere ? HashField.ExpiryMsOf(block) : -1;
        return isThere;
    }

    /// <summary>Lets a field that is there expire; -1 for never again.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public readonly void SetExpiry(ReadOnlySpan<byte> field, long expiryMs)
    {
        var block = _root->Find(field);
        Invariant.Check(block != null, "the field is in the hash");
        _room.Ask(HashField.SizeOf(block));
        _root->SetExpiry(_store.Collections.Heap, block, expiryMs);
    }

    /// <summary>Takes a field out, if it is there.</summary>
    public readonly void Remove(ReadOnlySpan<byte> field)
        => _ = _root->Remove(_store.Collections.Heap, field, _nowMs);

    /// <summary>Makes the hash, which has the fields of a key's hash with other times, or some of them, what that is
    /// from here on. The key goes where there are none.</summary>
    /// <inheritdoc cref="Exchange"/>
    public void ExchangeTimes(in Key key, in Record existing, in Change change)
    {
        if (_root->Table.Count == 0)
        {
            _store.Changes.Before(key, existing);
            _store.Drop(key, existing);
            _store.Changes.TellWhole(key, wasMissing: false, default, change);
            return;
        }

        _root->FitsPacked = !existing.IsLarge || ((HashRoot*)ShardCollections.RootOf(existing))->FitsPacked;
        Exchange(key, existing, change);
    }

    /// <summary>Makes the hash, which has fields, what a key's hash is from here on. The key keeps its time to live.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its hash's record as just looked up, or a null one.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Exchange(in Key key, in Record existing, in Change change)
    {
        Invariant.Check(_root->Table.Count > 0, "an empty hash is no value");
        var wasMissing = existing.IsNull;
        _store.Changes.Before(key, existing);
        var record = _store.Collections.WriteLarge(
            key, existing, RecordType.Hash, wasMissing ? -1 : existing.ExpiryMs, (byte*)_root);
        _root = null;
        _store.Changes.TellWhole(key, wasMissing, record, change);
    }

    /// <summary>Frees what no key has, by and by.</summary>
    public void Dispose()
    {
        if (_root != null && _clears == _store.Collections.Clears)
        {
            _ = _store.Collections.Doom(RecordType.Hash, (byte*)_root);
        }

        _root = null; // Put under a key, or gone with all that the shard had.
    }
}
