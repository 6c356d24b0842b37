namespace Strata.Storage.Memory;

/// <summary>Native memory of one owner, from a <see cref="BufferPool"/>. Not to be copied, but handed over.</summary>
public unsafe struct NativeBlock
{
    internal NativeBlock(byte* start, long bytes, bool isMapped)
    {
        Start = start;
        Bytes = bytes;
        IsMapped = isMapped;
    }

    /// <summary>The first byte; null where there is none.</summary>
    public byte* Start { get; }

    /// <summary>How many there are: those that were asked for, and perhaps more.</summary>
    public long Bytes { get; }

    /// <summary>Whether they are pages of the kernel's; otherwise they lie in the C library's heap.</summary>
    internal bool IsMapped { get; }

    /// <summary>Gives the memory of bytes back that nobody looks at any more, if they are pages of the kernel's. They
    /// are the owner's still, and hold anything.</summary>
    /// <param name="offset">The first of them.</param>
    /// <param name="bytes">How many.</param>
    public readonly void Release(long offset, long bytes)
    {
        if (IsMapped)
        {
            ReservedRegion.ReleasePages(Start + offset, bytes);
        }
    }
}
