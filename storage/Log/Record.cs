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
        var key = start + RecordHeader.Bytes + RecordHeader.OptionalBytes(flags);
        int keyLength, valueLength;
        if ((flags & RecordFlags.Wide) == 0)
        {
            keyLength = copy.CompactKeyLength;
            valueLength = copy.CompactSizeBytes - copy.CompactSlack - keyLength - (int)(key - start);
            if (copy.CompactSizeBytes > left || valueLength < 0)
            {
                return false;
            }
        }
        else
        {
            var lengths = *(WideLengths*)(key - RecordHeader.WideBytes);
            keyLength = lengths.KeyLength & int.MaxValue;
            valueLength = (int)(lengths.ValueLength & RecordHeader.MaxValueLength);
            if (lengths.SizeBytes > left || key - start + (long)keyLength + valueLength > lengths.SizeBytes)
            {
                return false;
            }
        }

        record = new Record(header, key, keyLength, valueLength, address);
        return true;
    }

    /// <summary>Goes on over space that no record takes; what cannot be that, in a damaged page, it leaves.</summary>
    internal static void SkipFiller(byte* page, long usedBytes, ref long offset)
    {
        while (offset < usedBytes && ((RecordHeader*)(page + offset))->IsFiller)
        {
            var bytes = ((RecordHeader*)(page + offset))->FillerBytes;
            if (bytes == 0 || bytes > usedBytes - offset)
            {
                return;
            }

            offset += bytes;
        }
    }

    /// <summary>Whether there is no record.</summary>
    public bool IsNull => _header == null;

    public ulong Address { get; }

    public RecordType Type => _header->Type;

    public RecordFlags Flags => _header->Flags;

    public byte Database
        => (Flags & (RecordFlags.Wide | RecordFlags.HasDatabase)) == 0 ? (byte)0
            : IsWide ? _header->WideDatabase
            : _key[-RecordHeader.DatabaseBytes];

    public int ValueLength => _valueLength;

    public ReadOnlySpan<byte> Key => new(_key, _keyLength);

    public byte* KeyPointer => _key;

    public int KeyLength => _keyLength;

    public ReadOnlySpan<byte> Value => new(_key + _keyLength, _valueLength);

    /// <summary>The value, to be changed in place; only under the lease.</summary>
    internal Span<byte> MutableValue => new(_key + _keyLength, _valueLength);

    /// <summary>The value's first byte.</summary>
    public byte* ValuePointer => _key + _keyLength;

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
    internal bool IsDead => _header->IsDead;

    /// <summary>Whether the record's lengths are not in its header but behind it.</summary>
    private bool IsWide => (Flags & RecordFlags.Wide) != 0;

    private ref WideLengths Lengths => ref *(WideLengths*)(_key - RecordHeader.WideBytes);

    /// <summary>Whether only the header and the key are there: the record is a copy of what is on the device, for who
    /// needs no more. Its value must not be looked at.</summary>
    public bool IsWithoutValue => IsWide && (Lengths.ValueLength & WideLengths.WithoutValueBit) != 0;

    public bool HasExpiry => (Flags & RecordFlags.HasExpiry) != 0;

    /// <summary>Milliseconds since 1970, or -1 when the record does not expire.</summary>
    public long ExpiryMs => HasExpiry ? Unsafe.ReadUnaligned<long>((byte*)_header + RecordHeader.Bytes) : -1;

    /// <summary>Whether the record's time had come before <paramref name="nowMs"/>.</summary>
    public bool IsExpired(long nowMs) => HasExpiry && ExpiryMs < nowMs;

    /// <summary>When the record was last accessed, as <see cref="AccessClock"/> counts.</summary>
    public int Accessed => _header->Accessed;

    /// <summary>Bytes of the whole record, slack included.</summary>
    public long SizeBytes => IsWide ? Lengths.SizeBytes : _header->CompactSizeBytes;

    /// <summary>What the record counts as live: of a string, the bytes without slack. A collection's slack counts
    /// too: the next elements go there, and were it taken away, each of them would move the record.</summary>
    public long LiveBytes => Type == RecordType.String
        ? RecordHeader.SizeFor(Flags, _keyLength, _valueLength)
        : SizeBytes;

    /// <summary>Whether the value is the address of a large collection.</summary>
    public bool IsLarge => Type != RecordType.String && (Flags & CollectionFlags.Large) != 0;

    /// <summary>Whether the value is a large collection, packed.</summary>
    public bool IsFrozen => Type != RecordType.String && (Flags & CollectionFlags.Frozen) != 0;

    /// <summary>The longest value that fits in place.</summary>
    public long ValueCapacity => (byte*)_header + SizeBytes - (_key + _keyLength);

    /// <summary>Whether the value can be given another length in place: it has room, and the header can tell how much
    /// of it is left over.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool CanHold(long valueLength)
    {
        var slack = ValueCapacity - valueLength;
        return slack >= 0 && (slack <= RecordHeader.MaxCompactSlack || IsWide);
    }

    internal RecordHeader* Header => _header;

    /// <summary>The record's key, whose hash is known; good as long as the record can be read.</summary>
    public Key KeyWith(ulong hash) => new(_key, _keyLength, Database, hash);

    /// <summary>The hash of the record's key.</summary>
    public ulong ComputeHash() => KeyHash.Compute(_key, _keyLength, Database);

    /// <summary>Whether this is the record of <paramref name="key"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasKey(in Key key)
        => _keyLength == key.Length && Database == key.Database
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
        => _header->SetTypeAndFlags(type, (flags & ~RecordFlags.Form) | (Flags & RecordFlags.Form));

    /// <summary>Nothing points to the record any more.</summary>
    internal void SetDead() => _header->SetDead();

    /// <summary>Says of a copy that its value is not there. The record has a page of its own, and so is wide.</summary>
    internal void SetWithoutValue()
    {
        Invariant.Check(IsWide, "a record that is alone in its page is wide");
        Lengths.ValueLength |= WideLengths.WithoutValueBit;
    }

    /// <summary>Gives the value another length, which the record can hold (<see cref="CanHold"/>).</summary>
    internal Record WithValueLength(int valueLength)
    {
        Invariant.Check(CanHold(valueLength), "a value changed in place fits");
        if (IsWide)
        {
            Lengths.ValueLength = (uint)valueLength;
        }
        else
        {
            _header->SetCompactSlack((int)(ValueCapacity - valueLength));
        }

        return new Record(_header, _key, _keyLength, valueLength, Address);
    }

    /// <summary>The form that a record is to have, and its size.</summary>
    /// <param name="spec">What it is.</param>
    /// <param name="flags">The spec's flags with those of the log.</param>
    /// <param name="valueLength">Bytes of the value.</param>
    /// <param name="capacity">Bytes there is to be room for.</param>
    /// <param name="size">Bytes of the whole record, slack included.</param>
    /// <returns>The flags with those of the form.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static RecordFlags FormOf(
        in RecordSpec spec, RecordFlags flags, int valueLength, long capacity, out long size)
    {
        var compact = flags | (spec.Database == 0 ? RecordFlags.None : RecordFlags.HasDatabase);
        var room = Math.Max(valueLength, capacity);
        size = RecordHeader.SizeFor(compact, spec.KeyLength, room);
        var slack = size - RecordHeader.Bytes - RecordHeader.OptionalBytes(compact) - spec.KeyLength - valueLength;
        if (spec.KeyLength <= RecordHeader.MaxCompactKeyLength && size <= RecordHeader.MaxCompactBytes
            && slack <= RecordHeader.MaxCompactSlack)
        {
            return compact;
        }

        var wide = flags | RecordFlags.Wide;
        size = RecordHeader.SizeFor(wide, spec.KeyLength, room);
        return wide;
    }

    /// <summary>Writes a record but for its value.</summary>
    /// <param name="header">Where it goes.</param>
    /// <param name="spec">What it is.</param>
    /// <param name="flags">The flags with those of its form (<see cref="FormOf"/>).</param>
    /// <param name="size">Its bytes, slack included.</param>
    /// <param name="valueLength">Bytes of the value.</param>
    /// <param name="address">Where that is in the log.</param>
    internal static Record Write(
        RecordHeader* header, in RecordSpec spec, RecordFlags flags, long size, int valueLength, ulong address)
    {
        var key = (byte*)header + RecordHeader.Bytes + RecordHeader.OptionalBytes(flags);
        var record = new Record(header, key, spec.KeyLength, valueLength, address);
        if ((flags & RecordFlags.Wide) != 0)
        {
            header->SetWide(spec.Type, flags, spec.Database);
            record.Lengths = new WideLengths(size, valueLength, spec.KeyLength);
        }
        else
        {
            var slack = (int)size - (int)(key - (byte*)header) - spec.KeyLength - valueLength;
            header->SetCompact(spec.Type, flags, spec.KeyLength, size, slack);
            if ((flags & RecordFlags.HasDatabase) != 0)
            {
                key[-RecordHeader.DatabaseBytes] = spec.Database;
            }
        }

        Unsafe.CopyBlockUnaligned(key, spec.KeyPointer, (uint)spec.KeyLength);
        if ((spec.Flags & RecordFlags.HasExpiry) != 0)
        {
            record.SetExpiry(spec.ExpiryMs);
        }

        return record;
    }
}
