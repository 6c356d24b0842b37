namespace Strata.Storage.Log;

/// <summary>A page as it is written to the device, or read from there.</summary>
/// <param name="Page">Its number.</param>
/// <param name="Generation">How often the number was used before.</param>
/// <param name="Offset">Where it lies, in the shard's segments.</param>
/// <param name="UsedBytes">How many bytes there hold records.</param>
/// <param name="HeadChecksum">Of a page of one record, <see cref="RecordChecksum.OfHead"/>; 0 where that is not known.
/// </param>
internal readonly record struct PageImage(
    int Page, long Generation, long Offset, long UsedBytes, uint HeadChecksum)
{
    /// <summary>The page's bytes on the device, whole sectors.</summary>
    public long DeviceBytes => DeviceBytesFor(UsedBytes);

    /// <summary>What so many bytes of records take on the device.</summary>
    public static long DeviceBytesFor(long usedBytes)
        => (usedBytes + Limits.MaxSectorBytes - 1) & -Limits.MaxSectorBytes;
}
