namespace Strata.Storage.Log;

/// <summary>What a checkpoint knows of a page that it names: one that is whole on the device. Its records' keys stand
/// in the index alone.</summary>
/// <param name="Page">Its number.</param>
/// <param name="Database">The physical number of the database that its records belong to.</param>
/// <param name="IsJumbo">Whether it holds one record larger than ordinary pages take.</param>
/// <param name="HeadChecksum">Of such a page the checksum of the record's head.</param>
/// <param name="Generation">How often the number was used before.</param>
/// <param name="Offset">Where it lies, in the shard's segments, bytes.</param>
/// <param name="UsedBytes">How many bytes there hold records.</param>
/// <param name="LiveBytes">Bytes of the records that the checkpoint has entries for, slack not counted.</param>
/// <param name="ExpiringRecords">How many of those expire.</param>
/// <param name="EarliestExpiryMs">None of them before this, milliseconds since 1970.</param>
public readonly record struct KeptPage(
    int Page,
    byte Database,
    bool IsJumbo,
    uint HeadChecksum,
    long Generation,
    long Offset,
    long UsedBytes,
    long LiveBytes,
    int ExpiringRecords,
    long EarliestExpiryMs);
