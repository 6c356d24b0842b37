namespace Strata.Storage.Log;

/// <summary>Properties of a record (the six flag bits of its header). What <see cref="Edited"/> and
/// <see cref="Decimal"/> are of a collection, <see cref="CollectionFlags"/> says.</summary>
[Flags]
public enum RecordFlags : byte
{
    None = 0,

    /// <summary>An absolute expiry time in milliseconds since 1970 follows the header.</summary>
    HasExpiry = 1,

    /// <summary>The record's lengths are more than the header has bits for: they follow it.</summary>
    Wide = 2,

    /// <summary>There is room for a checksum, which is right once the record's page was written to the device.
    /// </summary>
    HasChecksum = 4,

    /// <summary>The string was edited in place (APPEND, SETRANGE, SETBIT…): OBJECT ENCODING answers raw, as Redis's.
    /// </summary>
    Edited = 8,

    /// <summary>The string came from INCRBYFLOAT: OBJECT ENCODING answers embstr even if it reads as an integer, as
    /// Redis's.</summary>
    Decimal = 16,

    /// <summary>The record is not wide, and its database is not 0: it follows as a byte.</summary>
    HasDatabase = 32,

    /// <summary>Those that say where in the record its parts lie, apart from the expiry.</summary>
    Form = Wide | HasChecksum | HasDatabase,
}
