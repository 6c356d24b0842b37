using System.Runtime.CompilerServices;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// A record in memory. Under the shard's lease it is what it says until the next change of the shard; an optimistic
/// reader may hold a torn one, whose spans <see cref="RecordLog.TryOpen"/> has proved to lie inside the record's page.
/// </summary>
public readonly unsafe struct Record
{
    private readonly RecordHeader* _header;
    private readonly byte* _key;
    private readonly int _keyLength;
    private readonly int _valueLength;

    internal Record(RecordHeader* header, byte* key, int keyLength, int valueLength, ulong address)
    {
        _header = header;
        _key = key;
        _keyLength = keyLength;
        _valueLength = valueLength;
        Address = address;
    }

    /// <summary>Takes the <paramref name="left"/> bytes at <paramref name="start"/>, no fewer than a header, for a
    /// record.</summary>
    /// <returns>False when they cannot be one.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryParse(byte* start, long left, ulong address, out Record record)
    {
        record = default;
        var header = (RecordHeader*)start;
        var copy = *header;
        var flags = copy.Flags;
        var valueLength = (int)(copy.ValueLength & RecordHeader.MaxValueLength);
        var optional = RecordHeader.OptionalBytes(flags);
        var key = (byte*)header + RecordHeader.Bytes + optional;
        var keyLength = (flags & RecordFlags.LongKey) == 0
            ? copy.ShortKeyLength
            : Unsafe.ReadUnaligned<int>(key - RecordHeader.LongKeyBytes) & int.MaxValue;
        var size = copy.SizeBytes;
        if (size > left || RecordHeader.Bytes + optional + (long)keyLength + valueLength > size)
        {
            return false;
        }

        record = new Record(header, key, keyLength, valueLength, address);
        return true;
    }

    /// <summary>Goes on over space that no record takes.</summary>
    internal static void SkipFiller(byte* page, long usedBytes, ref long offset)
    {
        while (offset < usedBytes && ((RecordHeader*)(page + offset))->ValueLength == RecordHeader.Filler)
        {
            offset += (long)((RecordHeader*)(page + offset))->SizeUnits * RecordHeader.Alignment;
        }
    }

    /// <summary>Whether there is no record.</summary>
    public bool IsNull => _header == null;

    public ulong Address { get; }

    public RecordType Type => _header->Type;

    public RecordFlags Flags => _header->Flags;

    public byte Database => _header->Database;

    public int ValueLength => _valueLength;

    public ReadOnlySpan<byte> Key => new(_key, _keyLength);

    public byte* KeyPointer => _key;

    public int KeyLength => _keyLength;

    public ReadOnlySpan<byte> Value => new(_key + _keyLength, _valueLength);

    /// <summary>The value, to be changed in place; only under the lease.</summary>
    internal Span<byte> MutableValue => new(_key + _keyLength, _valueLength);

    /// <summary>The value's first byte.</summary>
    internal byte* ValuePointer => _key + _keyLength;

    /// <summary>Writes the value, or its beginning.</summary>
    /// <param name="value">The bytes.</param>
    /// <param name="movedFrom">Where they lie, if they are to be moved; else null.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Fill(ReadOnlySpan<byte> value, byte* movedFrom)
    {
        if (movedFrom == null)
        {
            value.CopyTo(MutableValue);
        }
        else if (value.Length < PageMove.LeastBytes)
        {
            PageMove.CopyAndRelease(movedFrom, ValuePointer, value.Length);
        }
        else
        {
            PageMove.Move(movedFrom, ValuePointer, value.Length);
        }
    }

    /// <summary>Whether nothing points to the record any more; only under the lease.</summary>
    internal bool IsDead => (_header->ValueLength & RecordHeader.DeadBit) != 0;

    /// <summary>Whether only the header and the key are there: the record is a copy of what is on the device, for who
    /// needs no more. Its value must not be looked at.</summary>
    public bool IsWithoutValue => (_header->ValueLength & RecordHeader.WithoutValueBit) != 0;

    public bool HasExpiry => (_header->Flags & RecordFlags.HasExpiry) != 0;

    /// <summary>Milliseconds since 1970, or -1 when the record does not expire.</summary>
    public long ExpiryMs => HasExpiry ? Unsafe.ReadUnaligned<long>((byte*)_header + RecordHeader.Bytes) : -1;

    /// <summary>Whether the record's time had come before <paramref name="nowMs"/>.</summary>
    public bool IsExpired(long nowMs) => HasExpiry && ExpiryMs < nowMs;

    /// <summary>When the record was last accessed, as <see cref="AccessClock"/> counts.</summary>
    public int Accessed => _header->Accessed;

    /// <summary>Bytes of the whole record, slack included.</summary>
    public long SizeBytes => _header->SizeBytes;

    /// <summary>What the record counts as live: of a string, the bytes without slack. A collection's slack counts
    /// too: the next elements go there, and were it taken away, each of them would move the record.</summary>
    public long LiveBytes => Type == RecordType.String
        ? RecordHeader.SizeFor(_header->Flags, _keyLength, _valueLength)
        : SizeBytes;

    /// <summary>Whether the value is the address of a large collection.</summary>
    public bool IsLarge => Type != RecordType.String && (Flags & CollectionFlags.Large) != 0;

    /// <summary>Whether the value is a large collection, packed.</summary>
    public bool IsFrozen => Type != RecordType.String && (Flags & CollectionFlags.Frozen) != 0;

    /// <summary>The longest value that fits in place.</summary>
    public long ValueCapacity => (byte*)_header + _header->SizeBytes - (_key + _keyLength);

    internal RecordHeader* Header => _header;

    /// <summary>The record's key, whose hash is known; good as long as the record can be read.</summary>
    public Key KeyWith(ulong hash) => new(_key, _keyLength, Database, hash);

    /// <summary>The hash of the record's key.</summary>
    public ulong ComputeHash() => KeyHash.Compute(_key, _keyLength, Database);

    /// <summary>Whether this is the record of <paramref name="key"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasKey(in Key key)
        => _keyLength == key.Length && _header->Database == key.Database
            && new ReadOnlySpan<byte>(_key, _keyLength).SequenceEqual(key.Span);

    internal void SetExpiry(long expiryMs)
        => Unsafe.WriteUnaligned((byte*)_header + RecordHeader.Bytes, expiryMs);

    /// <summary>Notes an access. A line of memory that another worker reads too is written once a second at most.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void SetAccessed(int clock)
    {
        if (_header->Accessed != clock)
        {
            _header->SetAccessed(clock);
        }
    }

    /// <summary>Changes what the record is; the parts it consists of stay.</summary>
    internal void SetTypeAndFlags(RecordType type, RecordFlags flags)
        => _header->SetTypeAndFlags(type, flags | (_header->Flags & RecordFlags.HasChecksum));

    /// <summary>Writes a record but for its value.</summary>
    /// <param name="header">Where it goes.</param>
    /// <param name="spec">What it is.</param>
    /// <param name="flags">The spec's flags with those of the log.</param>
    /// <param name="size">Its bytes, slack included.</param>
    /// <param name="valueLength">Bytes of the value.</param>
    /// <param name="address">Where that is in the log.</param>
    internal static Record Write(
        RecordHeader* header, in RecordSpec spec, RecordFlags flags, long size, int valueLength, ulong address)
    {
        header->SizeUnits = (uint)(size >> 3);
        header->ValueLength = (uint)valueLength;
        header->Database = spec.Database;
        var key = (byte*)header + RecordHeader.Bytes + RecordHeader.OptionalBytes(flags);
        if ((spec.Flags & RecordFlags.LongKey) != 0)
        {
            header->ShortKeyLength = RecordHeader.LongKeyLength;
            Unsafe.WriteUnaligned(key - RecordHeader.LongKeyBytes, spec.KeyLength);
        }
        else
        {
            header->ShortKeyLength = (ushort)spec.KeyLength;
        }

        header->SetTypeAndFlags(spec.Type, flags);
        Unsafe.CopyBlockUnaligned(key, spec.KeyPointer, (uint)spec.KeyLength);
        var record = new Record(header, key, spec.KeyLength, valueLength, address);
        if ((spec.Flags & RecordFlags.HasExpiry) != 0)
        {
            record.SetExpiry(spec.ExpiryMs);
        }

        return record;
    }
}
