using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>Where in its page a record may stand, for the sake of the device's sectors and of the kernel's pages.
/// </summary>
internal static unsafe class RecordAlignment
{
    /// <summary>The first place for a record of a log that goes to a device: its first bytes, and all of a small one,
    /// lie in one sector of the largest size, so that one small read finds what it needs.</summary>
    /// <param name="offset">Where the page's records end.</param>
    /// <param name="size">Bytes of the record.</param>
    public static long OffsetFor(long offset, long size)
    {
        var room = Limits.MaxSectorBytes - (offset & (Limits.MaxSectorBytes - 1));
        return Math.Min(size, Limits.FirstReadBytes) <= room ? offset : offset + room;
    }

    /// <summary>The phase of a value that can be moved to its record (<see cref="PageMove"/>), be it given a time to
    /// live or not.</summary>
    public static int ValuePhase(int keyLength, bool hasChecksum)
    {
        var flags = RecordFlags.HasExpiry | RecordFlags.Wide
            | (hasChecksum ? RecordFlags.HasChecksum : RecordFlags.None);
        return (int)(ValueOffset(keyLength, flags) & (MappedMemory.PageBytes - 1));
    }

    /// <summary>Bytes that a record must stand behind its page's first place, so that the value's pages can be moved to
    /// it; 0 also where no place will do.</summary>
    public static long PaddingToMove(in RecordSpec spec, RecordFlags flags, bool isTiered)
    {
        var valueOffset = ValueOffset(spec.KeyLength, flags);
        var padding = (PageMove.PhaseOf(spec.MovedFrom) - valueOffset) & (MappedMemory.PageBytes - 1);
        var fitsFirstRead = RecordLog.FirstOffset + padding + Limits.FirstReadBytes <= Limits.MaxSectorBytes;
        return padding % RecordHeader.Alignment == 0 && (!isTiered || fitsFirstRead) ? padding : 0;
    }

    private static long ValueOffset(int keyLength, RecordFlags flags)
        => RecordLog.FirstOffset + RecordHeader.Bytes + RecordHeader.OptionalBytes(flags) + keyLength;
}
