namespace Strata.Storage.Log;

/// <summary>Properties of a record (the five flag bits of its header). What the last two are of a
/// collection, <see cref="CollectionFlags"/> says.</summary>
[Flags]
public enum RecordFlags : byte
{
    None = 0,

    /// <summary>An absolute expiry time in milliseconds since 1970 follows the header.</summary>
    HasExpiry = 1,

    /// <summary>The key is 65,535 bytes or longer: its length follows as four bytes.</summary>
    LongKey = 2,

    /// <summary>There is room for a checksum, which is right once the record's page was written to the device.
    /// </summary>
    HasChecksum = 4,

    /// <summary>The string was edited in place (APPEND, SETRANGE, SETBIT…): OBJECT ENCODING answers raw, as Redis's.
    /// </summary>
    Edited = 8,

    /// <summary>The string came from INCRBYFLOAT: OBJECT ENCODING answers embstr even if it reads as an integer, as
    /// Redis's.</summary>
    Decimal = 16,
}
