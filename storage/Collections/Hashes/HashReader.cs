using Strata.Storage.Log;

namespace Strata.Storage.Collections.Hashes;

/// <summary>
/// Reads a hash in either form as it is at a time; the default value is an empty one. A field is named by a number: the
/// address of its block, or the offset of its entry. All is good until the hash changes.
/// </summary>
public readonly unsafe ref struct HashReader
{
    private readonly ReadOnlySpan<byte> _packed;
    private readonly HashRoot* _root;
    private readonly long _nowMs;

    /// <summary>Reads a hash as a look-up of a collection gave it.</summary>
    /// <param name="record">Its record.</param>
    /// <param name="nowMs">Milliseconds since 1970: fields whose time has come are not there, taken out or not.</param>
    public HashReader(scoped in Record record, long nowMs)
    {
        _nowMs = nowMs;
        if (record.IsLarge)
        {
            _root = (HashRoot*)ShardCollections.RootOf(record);
        }
        else
        {
            _packed = record.Value;
        }
    }

    /// <summary>Fields, with those that have expired and are not taken out yet.</summary>
    public long Count => _root != null ? _root->Table.Count : _packed.IsEmpty ? 0 : PackedForm.CountOf(_packed);

    /// <summary>Bytes of a large hash; 0 of others.</summary>
    public long LargeBytes => _root != null ? _root->WeightBytes : 0;

    /// <summary>The table of a large hash, otherwise null.</summary>
    public ElementTable* Table => _root == null ? null : &_root->Table;

    /// <summary>Whether there are fields that have expired and are not taken out yet.</summary>
    public bool HasExpired => _root != null && _root->Expiries.FirstMs < _nowMs;

    /// <summary>When the first field of a hash in any form, frozen or not, expires, milliseconds since 1970; <see
    /// cref="long.MaxValue"/> for never.</summary>
    public static long FirstExpiryMsOf(in Record record) => HashForm.FirstExpiryMsOf(record);

    /// <summary>Looks for a field.</summary>
    public bool TryGet(ReadOnlySpan<byte> field, out ReadOnlySpan<byte> value)
    {
        value = default;
        if (_root != null)
        {
            var block = _root->Find(field);
            if (block == null || HashField.IsExpired(block, _nowMs))
            {
                return false;
            }

            value = HashField.ValueOf(block);
            return true;
        }

        if (_packed.IsEmpty || !PackedHash.TryFind(_packed, field, out _, out var offset))
        {
            return false;
        }

        value = PackedForm.Read(_packed, ref offset);
        return true;
    }

    /// <summary>Looks for a field, to tell when it expires: milliseconds since 1970, -1 for never.</summary>
    public bool TryGetExpiry(ReadOnlySpan<byte> field, out long expiryMs)
    {
        expiryMs = -1;
        if (_root == null)
        {
            return TryGet(field, out _);
        }

        var block = _root->Find(field);
        if (block == null || HashField.IsExpired(block, _nowMs))
        {
            return false;
        }

        expiryMs = HashField.ExpiryMsOf(block);
        return true;
    }

    /// <summary>Whether a field that was met has expired: it is not there for whoever looks.</summary>
    public bool IsExpired(nint field) => _root != null && HashField.IsExpired((byte*)field, _nowMs);

    /// <summary>Goes on to the next field of a packed hash; <paramref name="position"/> is 0 at first.</summary>
    public bool TryNext(ref int position, out nint field)
    {
        position = Math.Max(position, PackedForm.HeaderBytes);
        field = position;
        if (position >= _packed.Length)
        {
            return false;
        }

        PackedForm.Skip(_packed, ref position);
        PackedForm.Skip(_packed, ref position);
        return true;
    }

    /// <summary>The name of a field.</summary>
    public ReadOnlySpan<byte> NameOf(nint field)
    {
        if (_root != null)
        {
            return HashField.KeyOf((byte*)field);
        }

        var offset = (int)field;
        return PackedForm.Read(_packed, ref offset);
    }

    /// <summary>The value of a field.</summary>
    public ReadOnlySpan<byte> ValueOf(nint field)
    {
        if (_root != null)
        {
            return HashField.ValueOf((byte*)field);
        }

        var offset = (int)field;
        PackedForm.Skip(_packed, ref offset);
        return PackedForm.Read(_packed, ref offset);
    }
}
