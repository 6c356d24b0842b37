namespace Strata.Storage.Memory;

/// <summary>The part of a <see cref="StripedRegion"/> that one owner has.</summary>
public readonly unsafe struct Stripes
{
    private readonly long _offset;

    internal Stripes(StripedRegion region, int owner)
    {
        Region = region;
        _offset = (long)owner << region.StripeBits;
        Base = region.Region.Base + _offset;
    }

    public StripedRegion Region { get; }

    /// <summary>The first byte of the first stripe.</summary>
    public byte* Base { get; }

    /// <summary>The first byte of a stripe.</summary>
    public byte* At(long stripe) => Base + (stripe << Region.StrideBits);

    /// <summary>Gives the physical memory of whole 4 KiB pages inside a stripe, or behind it where there is one owner
    /// only, back to the system.</summary>
    public void Release(long stripe, long offset, long bytes)
        => Region.Region.Release(_offset + (stripe << Region.StrideBits) + offset, bytes);

    /// <inheritdoc cref="ReservedRegion.Renew"/>
    public void Renew(long stripe, long bytes)
        => ReservedRegion.Renew(At(stripe), (bytes + MappedMemory.PageBytes - 1) & -MappedMemory.PageBytes);

    /// <summary>Asks the kernel whether to back a stripe with a part of a huge page.</summary>
    public void AdviseHugePages(long stripe, bool uses)
        => Region.Region.AdviseHugePages(
            _offset + (stripe << Region.StrideBits), 1L << Region.StripeBits, uses);
}
