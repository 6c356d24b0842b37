using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>What a record to be appended is, apart from its value.</summary>
public readonly unsafe struct RecordSpec
{
    /// <summary>A record of <paramref name="key"/>, accessed now; <paramref name="expiryMs"/> is -1 for none.</summary>
    public RecordSpec(in Key key, RecordType type, long expiryMs, RecordFlags flags = RecordFlags.None)
        : this(key.Pointer, key.Length, key.Database, type, expiryMs, flags)
    {
        Accessed = -1;
    }

    /// <summary>A copy of what <paramref name="record"/> is.</summary>
    public RecordSpec(in Record record)
        : this(record.KeyPointer, record.KeyLength, record.Database, record.Type, record.ExpiryMs, record.Flags)
    {
        Accessed = record.Accessed;
    }

    private RecordSpec(byte* key, int keyLength, byte database, RecordType type, long expiryMs, RecordFlags flags)
    {
        KeyPointer = key;
        KeyLength = keyLength;
        Database = database;
        Type = type;
        ExpiryMs = expiryMs;
        Flags = (flags & (RecordFlags.Edited | RecordFlags.Decimal))
            | (expiryMs >= 0 ? RecordFlags.HasExpiry : RecordFlags.None);
    }

    /// <summary>Where the value's bytes come from, if their pages are to be moved (<see cref="PageMove"/>); else null.
    /// The record is placed so that they can be.</summary>
    public byte* MovedFrom { get; init; }

    public byte* KeyPointer { get; }

    public int KeyLength { get; }

    public byte Database { get; }

    public RecordType Type { get; }

    /// <summary>Milliseconds since 1970, or -1.</summary>
    public long ExpiryMs { get; }

    /// <summary>The flags but for those of the form, which depends on the value.</summary>
    public RecordFlags Flags { get; }

    /// <summary>When the record was last accessed, as <see cref="AccessClock"/> counts; -1 for now.</summary>
    public int Accessed { get; }
}
