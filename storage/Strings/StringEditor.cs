using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Strings;

/// <summary>
/// Makes a key a string, or changes the one it has in place. Nothing is changed before <see cref="Create"/> or
/// <see cref="Resize"/>; the bytes are written by way of <see cref="Value"/>, and <see cref="End"/> tells of it. Used
/// under the shard's lease, while nothing else changes the key.
/// </summary>
public unsafe ref struct StringEditor
{
    private readonly RecordStore _store;
    private readonly Key _key;
    private readonly bool _wasMissing;
    private Record _record;
    private bool _holdsZeros;

    /// <summary>Begins to change a key.</summary>
    /// <param name="store">The key's shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record as just looked up, or a null one.</param>
    public StringEditor(RecordStore store, scoped in Key key, scoped in Record record)
    {
        _store = store;
        _key = key;
        _record = record;
        _wasMissing = record.IsNull;
    }

    /// <summary>Makes a key a string that does not come as an argument, and so is asked memory for; it is told of as
    /// new.</summary>
    /// <param name="store">The key's shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="value">The string; it must not lie in <paramref name="existing"/>.</param>
    /// <param name="expiryMs">Milliseconds since 1970, or -1.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed, and nothing told.</exception>
    public static Record Put(
        RecordStore store,
        scoped in Key key,
        scoped in Record existing,
        scoped ReadOnlySpan<byte> value,
        long expiryMs,
        in Change change)
    {
        var spec = new RecordSpec(key, RecordType.String, expiryMs);
        ValueRoom.Ask(store, existing, spec, value.Length, neededBytes: value.Length);
        store.Changes.Before(key, existing);
        var record = store.Write(key, existing, spec, value.Length);
        value.CopyTo(record.MutableValue);
        store.Changes.TellWhole(key, wasMissing: true, record, change);
        return record;
    }

    /// <summary>The string's record by now.</summary>
    internal readonly Record Record => _record;

    /// <summary>The string's bytes, good until its length changes.</summary>
    public readonly Span<byte> Value => _record.MutableValue;

    /// <summary>Makes the key a string whose bytes, which hold anything, the caller writes; what it was before is gone.
    /// </summary>
    /// <param name="length">Bytes.</param>
    /// <param name="expiryMs">Milliseconds since 1970, or -1.</param>
    /// <param name="flags">What the record remembers of how the string came to be.</param>
    /// <param name="neededBytes">Bytes of the strings that its bytes are made of.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed, and nothing told.</exception>
    public void Create(int length, long expiryMs, RecordFlags flags, long neededBytes = 0)
    {
        var spec = new RecordSpec(_key, RecordType.String, expiryMs, flags);
        ValueRoom.Ask(_store, _record, spec, length, neededBytes);
        _store.Changes.Before(_key, _record);
        var existing = _record;
        _record = _store.Write(_key, existing, spec, length);
        NoteNew(existing);
    }

    /// <summary>Makes the first bytes of a string that was just made zeros.</summary>
    public readonly void Clear(int bytes)
    {
        if (!_holdsZeros)
        {
            Value[..bytes].Clear();
        }
    }

    /// <summary>Gives the string, which must be there, another length, keeping its content; what is added reads as
    /// zeros. The record is marked as edited. A value that keeps growing is given room, doubling up to a page.
    /// </summary>
    /// <param name="length">Bytes.</param>
    /// <param name="written">How many of the last ones the caller writes, if they are added: these hold anything.
    /// </param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed, and nothing told.</exception>
    public void Resize(int length, int written = 0)
    {
        var existing = _record;
        var spec = new RecordSpec(_key, existing.Type, existing.ExpiryMs, existing.Flags | RecordFlags.Edited);
        var kept = Math.Min(existing.ValueLength, length);
        var isGrowing = length > existing.ValueLength;
        if (existing.CanHold(length) && _store.Log.IsMutable(existing)
            && (isGrowing || !_store.Log.IsOversized(existing, length)))
        {
            _store.Changes.Before(_key, existing);
            existing.SetTypeAndFlags(spec.Type, spec.Flags);
            _record = _store.Log.SetValueLength(existing, length);
        }
        else
        {
            var room = isGrowing ? Math.Min(length, _store.Log.PageBytes) : 0;
            var capacity = Math.Min((long)length + room, Limits.MaxValueBytes);
            spec = spec with { MovedFrom = ValueRoom.MovedFrom(_store, existing, kept) };
            ValueRoom.AskForGrowth(_store, spec, kept, capacity);
            _store.Changes.Before(_key, existing);
            _record = _store.Replace(_key, existing, spec, length, capacity);
            _record.Fill(existing.Value[..kept], spec.MovedFrom);
            NoteNew(existing);
        }

        if (kept < length - written && !_holdsZeros)
        {
            _record.MutableValue[kept..(length - written)].Clear();
        }
    }

    /// <summary>Tells that the bytes are written.</summary>
    public readonly void End(in Change change) => _store.Changes.TellWhole(_key, _wasMissing, _record, change);

    /// <summary>Notes what new bytes hold. A new page of a record's own is the kernel's, which takes physical memory
    /// when it is touched, and reads as zeros: a long string of these takes no time.</summary>
    private void NoteNew(scoped in Record existing)
        => _holdsZeros = _record.Address != existing.Address && _store.Log.IsAlone(_record);
}
